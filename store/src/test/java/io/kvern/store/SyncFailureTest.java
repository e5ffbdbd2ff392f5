package io.kvern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.store.FaultyFiles.Op;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A disk that fails: what was not durable is withdrawn and comes again, what was stays, reads go on. */
class SyncFailureTest {
    private static final int LENGTH = 300_000;

    @TempDir
    private Path dir;

    @TempDir
    private Path scratch;

    private TestStore test;

    @BeforeEach
    void open() {
        test = new TestStore(dir);
    }

    @AfterEach
    void close() {
        test.files.fault = (op, path, before) -> {};
        test.close();
    }

    private static TestBlock block(int number) {
        return TestBlock.of("f" + number, LENGTH);
    }

    private static TestBlock[] blocks(int from, int to) {
        TestBlock[] blocks = new TestBlock[to - from];
        for (int i = from; i < to; i++) {
            blocks[i - from] = block(i);
        }
        return blocks;
    }

    @ParameterizedTest
    @CsvSource({"FORCE,.data", "FORCE,.log", "WRITE,.log", "FORCE_DIRECTORY,segments"})
    void aFailedSyncIsWithdrawnAndItsRecordsComeAgain(Op op, String suffix) throws IOException {
        // Given blocks that are durable, and others in the same segments and new ones.
        for (int i = 0; i < 5; i++) {
            test.put(block(i));
        }
        TestBlock set = TestBlock.of("set", 1000).set(1);
        test.put(set);
        test.sync();
        assertThat(test.partition.resumeOffset()).isEqualTo(5);
        for (int i = 5; i < 20; i++) {
            test.put(block(i));
        }
        test.put(set.set(2));
        test.remove(block(0));
        TestBlock begun = TestBlock.of("begun", 1000);
        test.put(begun, 0, 500);

        // When a sync fails, between reads.
        AtomicBoolean stop = new AtomicBoolean();
        AtomicReference<Throwable> trouble = new AtomicReference<>();
        Thread reader = Thread.ofPlatform().start(() -> {
            try {
                while (!stop.get()) {
                    test.assertStands(blocks(1, 5));
                }
            } catch (Throwable e) {
                trouble.set(e);
            }
        });
        test.files.fault = new FaultyFiles.Times(op, suffix, 1);
        assertThatThrownBy(test::sync).isInstanceOf(StoreFailedException.class);

        // Then only what was durable stands, and the handle is no good any more.
        test.assertStands(blocks(0, 5));
        test.assertStands(set);
        test.assertAbsent(blocks(5, 20));
        assertThat(test.partition.resumeOffset()).isEqualTo(5);
        assertThat(test.store.stats().blocks()).isEqualTo(6);
        assertThat(test.store.stats().syncFailures()).isEqualTo(1);
        assertThat(test.store.stats().partialBytes()).isZero();
        assertThatThrownBy(() -> test.put(block(20))).isInstanceOf(StoreFailedException.class);
        assertThatThrownBy(() -> test.remove(block(1))).isInstanceOf(StoreFailedException.class);

        stop.set(true);
        join(reader);
        assertThat(trouble.get()).isNull();

        // When it is attached again and fed from there, all of it is back.
        test.reattach();
        assertThat(test.partition.applied()).isEqualTo(5);
        for (int i = 5; i < 20; i++) {
            assertThat(test.put(block(i))).isEqualTo(ApplyResult.STORED);
        }
        test.put(set.set(2));
        assertThat(test.remove(block(0))).isTrue();
        test.sync();
        assertAllBack(test, set.set(2));

        // And frames of the failed sync that are on disk all the same change nothing, with the index and without.
        Path crash = scratch.resolve("crash");
        try (TestStore crashed = test.crashedInto(crash)) {
            assertAllBack(crashed, set.set(2));
        }
        Damage.deleteTree(crash.resolve("index"));
        try (TestStore crashed = new TestStore(crash)) {
            assertAllBack(crashed, set.set(2));
        }
    }

    private static void assertAllBack(TestStore store, TestBlock set) {
        store.assertAbsent(block(0));
        store.assertStands(blocks(1, 20));
        store.assertStands(set);
        assertThat(store.store.stats().blocks()).isEqualTo(20);
        assertThat(store.partition.applied()).isEqualTo(22);
    }

    private static void join(Thread thread) {
        try {
            assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aWithdrawnFrameDoesNotReturnOverANewerOne() throws IOException {
        // Given a value whose frame was written by a sync point that failed right after,
        TestBlock one = TestBlock.of("set", 1000).set(1);
        test.put(one);
        test.files.fault = new FaultyFiles.Times(Op.FORCE, ".log", 1);
        assertThatThrownBy(test::sync).isInstanceOf(StoreFailedException.class);
        test.reattach();
        test.put(one);
        test.sync();
        // and a newer one that is durable.
        test.put(one.set(2));
        test.sync();

        Path crash = scratch.resolve("crash");
        try (TestStore crashed = test.crashedInto(crash)) {
            crashed.assertStands(one.set(2));
        }
        Damage.deleteTree(crash.resolve("index"));
        try (TestStore crashed = new TestStore(crash)) {
            crashed.assertStands(one.set(2));
        }
    }

    @Test
    void forgettingThatWasNotDurableIsWithdrawnToo() {
        TestBlock set = TestBlock.of("set", 1000).set(1);
        test.put(set);
        test.sync();
        test.partition.forget();
        test.assertAbsent(set);
        test.put(block(1));
        test.files.fault = new FaultyFiles.Times(Op.FORCE, ".data", 1);
        assertThatThrownBy(test::sync).isInstanceOf(StoreFailedException.class);

        test.reattach();

        test.assertStands(set);
        assertThat(test.partition.applied()).as("so that it is forgotten again").isZero();
    }

    @Test
    void manyFailuresInARowLoseNothingDurable() {
        test.put(block(0));
        test.sync();
        for (int round = 0; round < 5; round++) {
            test.put(block(1));
            test.files.fault = new FaultyFiles.Times(Op.FORCE, "", 1);
            assertThatThrownBy(test::sync).isInstanceOf(StoreFailedException.class);
            test.reattach();
        }
        test.put(block(1));
        test.sync();
        test.reopen();
        test.assertStands(blocks(0, 2));
        assertThat(test.store.stats().blocks()).isEqualTo(2);
    }

    @Test
    void aFailureAtClosingLosesOnlyWhatWasNotDurable() {
        test.put(block(0));
        test.sync();
        test.put(block(1));
        test.files.fault = new FaultyFiles.Times(Op.FORCE, ".data", 1);

        test.close();

        test.files.fault = (op, path, before) -> {};
        test.open();
        test.assertStands(block(0));
        test.assertAbsent(block(1));
        assertThat(test.partition.applied()).isZero();
    }

    @Test
    void shortReadsAreContinued() {
        test.put(block(0));
        test.files.longestRead = 1000;

        test.assertStands(block(0));
        assertThat(test.store.verify(block(0).key())).isTrue();
        test.sync();
        test.reopen();
        test.assertStands(block(0));
    }

    @Test
    void anErrorOfTheDiskFailsTheReadAndTheBlockStays() throws IOException {
        test.put(block(0));
        ByteBuffer into = ByteBuffer.allocateDirect(LENGTH + 10).position(10);
        test.files.fault = new FaultyFiles.Times(Op.READ, ".data", 3);

        assertThat(test.readInto(block(0), into)).isInstanceOf(ReadResult.Failed.class);
        assertThat(into.position()).isEqualTo(10);
        assertThat(test.store.verify(block(0).key())).isFalse();
        try (BlockLease lease = test.store.open(block(0).key())) {
            assertThatThrownBy(() -> lease.read(0, ByteBuffer.allocate(10))).isInstanceOf(IOException.class);
        }

        test.assertStands(block(0));
        assertThat(test.store.stats().readErrors()).isEqualTo(2);
        assertThat(test.store.stats().corrupt()).isZero();
    }

    @Test
    void aWriteThatFailsIsTriedInAnotherSegmentThenRefused() {
        test.put(block(0));
        test.files.fault = new FaultyFiles.Times(Op.WRITE, ".data", 1);
        assertThat(test.put(block(1))).isEqualTo(ApplyResult.STORED);
        test.files.fault = new FaultyFiles.Times(Op.WRITE, ".data", 2);
        assertThat(test.put(block(2))).isEqualTo(ApplyResult.REFUSED);
        TestBlock chunked = block(3);
        test.put(chunked, 0, 100_000);
        test.files.fault = new FaultyFiles.Times(Op.WRITE, ".data", 1);
        assertThat(test.put(chunked, 100_000, 100_000)).isEqualTo(ApplyResult.REFUSED);
        assertThat(test.put(chunked, 200_000, 100_000)).isEqualTo(ApplyResult.ORPHAN);
        assertThat(test.put(block(4))).isEqualTo(ApplyResult.STORED);

        test.assertStands(block(0), block(1), block(4));
        test.assertAbsent(block(2), chunked);
        assertThat(test.store.stats().writeErrors()).isEqualTo(4);
        assertThat(test.store.stats().refused()).isEqualTo(2);
        assertThat(test.store.stats().partialBytes()).isZero();
        test.reopen();
        test.assertStands(block(0), block(1), block(4));
        assertThat(test.partition.applied()).isEqualTo(6);
    }

    @Test
    void anInterruptClosesNothing() {
        test.put(block(0));
        Thread.currentThread().interrupt();
        try {
            test.assertStands(block(0));
            assertThat(test.put(block(1))).isEqualTo(ApplyResult.STORED);
        } finally {
            assertThat(Thread.interrupted()).as("handed on").isTrue();
        }
        test.sync();
        test.assertStands(blocks(0, 2));
    }

    @Test
    void interruptsInTheMiddleOfReadsCloseNothing() {
        test.put(block(0));
        test.sync();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicReference<Throwable> trouble = new AtomicReference<>();
        Thread reader = Thread.ofPlatform().start(() -> {
            try {
                while (!stop.get()) {
                    test.assertStands(block(0));
                }
            } catch (Throwable e) {
                trouble.set(e);
            }
        });
        for (int i = 0; i < 400; i++) {
            reader.interrupt();
            Thread.onSpinWait();
            test.assertStands(block(0));
        }
        stop.set(true);
        join(reader);
        assertThat(trouble.get()).isNull();
    }
}
