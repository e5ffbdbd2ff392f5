package io.kvern.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.store.FaultyFiles.Op;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cap, the disk, and who has to go. */
class CapacityTest {
    private static final int LENGTH = 500_000;

    @TempDir
    private Path dir;

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
        return TestBlock.of("c" + number, LENGTH);
    }

    private long onDisk() {
        try (Stream<Path> files = Files.walk(dir)) {
            return files.mapToLong(CapacityTest::size).sum();
        } catch (UncheckedIOException e) {
            // A directory that went while it was walked through.
            return 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static long size(Path path) {
        try {
            return Files.isRegularFile(path) ? Files.size(path) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    private long standing(int from, int to) {
        long standing = 0;
        for (int i = from; i < to; i++) {
            standing += test.stands(block(i)) ? 1 : 0;
        }
        return standing;
    }

    private StoreStats stats() {
        return test.store.stats();
    }

    @Test
    void theCapHoldsWhileReadersKeepEvictedBytes() throws IOException {
        Map<TestBlock, BlockLease> leases = new HashMap<>();
        int count = 300;
        for (int i = 0; i < count; i++) {
            assertThat(test.put(block(i))).isEqualTo(ApplyResult.STORED);
            if (i % 50 == 0) {
                BlockLease lease = test.store.open(block(i).key());
                assertThat(lease).isNotNull();
                leases.put(block(i), lease);
            }
            assertThat(stats().diskBytes()).isLessThanOrEqualTo(TestStore.CAPACITY);
            assertThat(onDisk()).isLessThanOrEqualTo(TestStore.CAPACITY);
        }
        test.assertAbsent(block(0));
        TestStore.await(
                "every block stands or is counted evicted", () -> stats().evictedBlocks() == count - stats().blocks());
        long held = stats().diskBytes();

        for (Map.Entry<TestBlock, BlockLease> lease : leases.entrySet()) {
            ByteBuffer into = ByteBuffer.allocate(LENGTH);
            lease.getValue().read(0, into.slice(0, 1000));
            lease.getValue().read(1000, into.slice(1000, LENGTH - 1000));
            assertThat(into.array()).isEqualTo(lease.getKey().bytes());
            lease.getValue().close();
        }
        TestStore.await("the held bytes are gone", () -> stats().diskBytes() < held);
        TestStore.await("what is counted stands", () -> standing(0, count) == stats().blocks());
        assertThat(stats().refused()).isZero();
    }

    @Test
    void wantedBlocksOutliveTheirSegmentsAlsoInARebuild() throws IOException {
        // Given blocks of which one is read, and one published again, while all others come and go,
        int count = 400;
        for (int i = 0; i < count; i++) {
            test.put(block(i));
            if (i >= 10) {
                test.assertStands(block(3));
                assertThat(test.put(block(5).again(i))).isEqualTo(ApplyResult.DUPLICATE);
            }
        }
        test.assertAbsent(block(2), block(4));
        assertThat(stats().keptBlocks()).isGreaterThanOrEqualTo(4);
        assertThat(stats().keptBytes()).isEqualTo(stats().keptBlocks() * LENGTH);
        assertThat(stats().diskBytes()).isLessThanOrEqualTo(TestStore.CAPACITY);
        TestStore.await(
                "every block stands or is counted evicted", () -> stats().evictedBlocks() == count - stats().blocks());

        // then they stand after a restart, and after a rebuild from the logs alone.
        test.reopen();
        test.assertStands(block(3), block(5));
        test.close();
        Damage.deleteTree(dir.resolve("index"));
        test.open();
        test.assertStands(block(3), block(5), block(count - 1));
        test.assertAbsent(block(2), block(4));
    }

    @Test
    void whereAllAreWantedHalfOfASegmentGoes() {
        for (int i = 0; i < 400; i++) {
            assertThat(test.put(block(i))).isEqualTo(ApplyResult.STORED);
            test.assertStands(block(i));
            assertThat(stats().diskBytes()).isLessThanOrEqualTo(TestStore.CAPACITY);
        }
        assertThat(stats().keptBlocks()).isPositive().isLessThanOrEqualTo(stats().evictedBlocks());
        assertThat(stats().refused()).isZero();
    }

    @Test
    void aKeptBlockThatIsRemovedStaysAwayInARebuild() throws IOException {
        TestBlock set = TestBlock.of("kept", LENGTH).set(1);
        test.put(set);
        for (int i = 0; i < 200; i++) {
            test.put(block(i));
            test.assertStands(set);
        }
        assertThat(stats().keptBlocks()).isPositive();
        assertThat(test.segment(1, "data")).doesNotExist();
        test.remove(set);
        test.sync();
        test.close();
        Damage.deleteTree(dir.resolve("index"));

        test.open();

        test.assertAbsent(set);
        test.assertStands(block(199));
    }

    @Test
    void whatCannotBeWrittenAgainGoesAndNothingElseFails() {
        for (int i = 0; i < 20; i++) {
            test.put(block(i));
            test.assertStands(block(i));
        }
        test.sync();
        // A damaged copy is not carried on, and a disk that does not take one costs no more than the block.
        test.files.fault = new FaultyFiles.Times(Op.READ, "0000000000000001.data", Integer.MAX_VALUE);
        for (int i = 20; i < 200; i++) {
            assertThat(test.put(block(i))).isEqualTo(ApplyResult.STORED);
        }
        test.files.fault = (op, path, before) -> {};
        test.assertAbsent(block(0), block(1));
        assertThat(test.segment(1, "data")).doesNotExist();
        assertThat(stats().syncFailures()).isZero();
        assertThat(stats().refused()).isZero();
        test.sync();
        test.reopen();
        test.assertStands(block(199));
    }

    @Test
    void partialsHoldASixteenthAndTheOldestIsRefused() {
        // A sixteenth of 64 MiB is 4 MiB: two of 1.5 MB fit.
        List<TestBlock> begun = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            begun.add(TestBlock.of("p" + i, 1_500_000));
            assertThat(test.put(begun.get(i), 0, 500_000)).isEqualTo(ApplyResult.PARTIAL);
            assertThat(stats().partialBytes()).isLessThanOrEqualTo(TestStore.CAPACITY / 16);
        }
        assertThat(stats().openPartials()).isEqualTo(2);
        assertThat(stats().refused()).isEqualTo(2);

        assertThat(test.put(begun.get(0), 500_000, 1_000_000)).isEqualTo(ApplyResult.ORPHAN);
        assertThat(test.put(begun.get(3), 500_000, 1_000_000)).isEqualTo(ApplyResult.STORED);
        assertThat(test.put(begun.get(2), 500_000, 1_000_000)).isEqualTo(ApplyResult.STORED);

        test.assertAbsent(begun.get(0), begun.get(1));
        test.assertStands(begun.get(2), begun.get(3));
        assertThat(stats().refused()).as("blocks, not chunks").isEqualTo(2);
        assertThat(stats().partialBytes()).isZero();
    }

    @Test
    void theOldestPartialOfAnotherPartitionIsRefusedToo() {
        Path other = dir.resolve("two");
        try (BlockStore store = BlockStores.open(TestStore.config(other))) {
            PartitionHandle low = store.attach(new PartitionRef(TestLog.TOPIC, 0, 2));
            PartitionHandle high = store.attach(new PartitionRef(TestLog.TOPIC, 1, 2));
            TestBlock first = in(0, "x");
            TestBlock second = in(1, "y");
            TestBlock third = in(1, "z");
            first.applyChunk(low, 0, 1_000_000, 0);
            second.applyChunk(high, 0, 1_000_000, 0);
            assertThat(third.applyChunk(high, 0, 1_000_000, 1)).isEqualTo(ApplyResult.PARTIAL);

            assertThat(first.applyChunk(low, 1_000_000, 1_000_000, 1)).isEqualTo(ApplyResult.ORPHAN);
            assertThat(second.applyChunk(high, 1_000_000, 1_000_000, 2)).isEqualTo(ApplyResult.STORED);
            assertThat(third.applyChunk(high, 1_000_000, 1_000_000, 3)).isEqualTo(ApplyResult.STORED);
            store.sync(Duration.ofSeconds(30));
            assertThat(low.resumeOffset()).isEqualTo(1);
        }
    }

    /** A block of 2 MB whose key belongs to one of two partitions. */
    private static TestBlock in(int partition, String prefix) {
        int number = 0;
        while (TestBlock.key(prefix + number).slot() / 8192 != partition) {
            number++;
        }
        return TestBlock.of(prefix + number, 2_000_000);
    }

    @Test
    void blocksLargerThanASegmentStandAloneAndGoWhenTheyAreOldest() {
        TestBlock large = TestBlock.of("large", 20 << 20);
        int half = large.length() / 2;
        assertThat(test.put(large, half, half)).isEqualTo(ApplyResult.PARTIAL);
        assertThat(test.put(block(0))).isEqualTo(ApplyResult.STORED);
        assertThat(test.put(large, 0, half)).isEqualTo(ApplyResult.STORED);
        assertThat(test.put(TestBlock.of("other", 20 << 20))).isEqualTo(ApplyResult.STORED);
        test.assertStands(large, block(0), TestBlock.of("other", 20 << 20));

        assertThat(test.put(TestBlock.of("third", 20 << 20))).isEqualTo(ApplyResult.STORED);

        TestStore.await("the oldest goes", () -> test.store.find(large.key()) == null);
        test.assertStands(TestBlock.of("third", 20 << 20));
        assertThat(stats().diskBytes()).isLessThanOrEqualTo(TestStore.CAPACITY);
    }

    @Test
    void whatCanNeverFitIsRefusedAndNothingGoesForIt() {
        test.put(block(0));
        TestBlock tooLong = TestBlock.of("long", (32 << 20) + 1);
        assertThat(test.put(tooLong)).isEqualTo(ApplyResult.REFUSED);
        test.close();
        test.config = new StoreConfig(dir, 16 << 20, 0.8, 0, 4 << 20, 32 << 20, 1 << 30, Duration.ofHours(1), 8 << 20);
        test.open();

        assertThat(test.put(TestBlock.of("never", 16 << 20))).isEqualTo(ApplyResult.REFUSED);

        test.assertStands(block(0));
        assertThat(stats().refused()).isEqualTo(1);
        assertThat(stats().evictedSegments()).isZero();
    }

    @Test
    void freeSpaceThatCannotBeReachedIsRefusedAndNothingGoesInVain() {
        for (int i = 0; i < 20; i++) {
            test.put(block(i));
        }
        test.close();
        test.config = test.withMinFree(Long.MAX_VALUE / 4);
        test.open();

        for (int i = 20; i < 24; i++) {
            assertThat(test.put(block(i))).isEqualTo(ApplyResult.REFUSED);
        }
        test.sync();

        assertThat(standing(0, 24)).isEqualTo(20);
        assertThat(stats().refused()).isEqualTo(4);
        assertThat(stats().evictedSegments()).isZero();
        assertThat(test.partition.applied()).isEqualTo(23);
    }

    @Test
    void otherPeoplesFilesPushTheStoreBack() {
        test.close();
        test.config = test.withMinFree(2 << 20);
        test.open();
        for (int i = 0; i < 60; i++) {
            test.put(block(i));
        }
        assertThat(stats().evictedSegments()).isZero();

        // Somebody takes all but 4 MiB of what was free; 6 MiB are wanted, one segment ahead of the limit.
        long left = onDisk() + (4 << 20);
        test.files.usable = () -> left - onDisk();
        TestStore.await("room is made ahead", () -> stats().evictedSegments() > 0);
        for (int i = 60; i < 120; i++) {
            assertThat(test.put(block(i))).isEqualTo(ApplyResult.STORED);
            // Frames and index are seen at the next look at the disk only: well within a MiB here.
            assertThat(left - onDisk()).isGreaterThanOrEqualTo(1 << 20);
        }
        assertThat(stats().refused()).isZero();
        assertThat(stats().blocks()).isBetween(40L, 75L);
    }

    @Test
    void aFileThatCannotBeDeletedCountsAndIsTriedAgain() {
        test.files.fault = new FaultyFiles.Times(Op.DELETE, "0000000000000001.data", Integer.MAX_VALUE);
        int count = 200;
        for (int i = 0; i < count; i++) {
            assertThat(test.put(block(i))).isEqualTo(ApplyResult.STORED);
        }
        assertThat(test.segment(1, "data")).exists();
        assertThat(test.segment(2, "data")).doesNotExist();
        test.assertAbsent(block(0));
        assertThat(stats().diskBytes()).isLessThanOrEqualTo(TestStore.CAPACITY);
        long left = stats().blocks();

        test.files.fault = (op, path, before) -> {};
        for (int i = count; i < count + 30; i++) {
            test.put(block(i));
        }
        TestStore.await("it is deleted", () -> !Files.exists(test.segment(1, "data")));
        assertThat(left).isPositive();
        test.reopen();
        assertThat(standing(0, count + 30)).isEqualTo(stats().blocks());
    }

    @Test
    void whereNothingCanBeDeletedTheStoreIsNotEmptiedForIt() {
        test.files.fault = new FaultyFiles.Times(Op.DELETE, "", Integer.MAX_VALUE);
        int refused = 0;
        for (int i = 0; i < 200 && refused < 3; i++) {
            refused += test.put(block(i)) == ApplyResult.REFUSED ? 1 : 0;
        }
        assertThat(refused).isEqualTo(3);
        assertThat(stats().evictedSegments()).isEqualTo(2);
        assertThat(standing(0, 200)).isEqualTo(stats().blocks()).isGreaterThan(80);
        assertThat(stats().diskBytes()).isLessThanOrEqualTo(TestStore.CAPACITY);
    }

    @Test
    void aFileSystemThatMakesNoFilesRefusesAndReadsGoOn() {
        for (int i = 0; i < 7; i++) {
            test.put(block(i));
        }
        test.sync();
        test.files.fault = new FaultyFiles.Times(Op.CREATE, "", Integer.MAX_VALUE);
        int stored = 0;
        int next = 7;
        while (test.put(block(next)) == ApplyResult.STORED) {
            next++;
            stored++;
        }
        assertThat(stored).isLessThan(9);
        assertThat(test.put(block(next + 1))).isEqualTo(ApplyResult.REFUSED);
        assertThat(standing(0, next)).isGreaterThan(4);
        long before = stats().refused();
        assertThat(before).isEqualTo(2);

        test.files.fault = (op, path, before2) -> {};
        assertThat(test.put(block(100))).isEqualTo(ApplyResult.STORED);
        test.sync();
        test.reopen();
        test.assertStands(block(100));
    }

    @Test
    void aPartialExpiresByTheLogsClock() {
        TestBlock slow = TestBlock.of("slow", 2000);
        slow.applyChunk(test.partition, 0, 1000, 0);
        TestBlock later = TestBlock.of("later", 10);
        test.partition.apply(later.key(), later.header(0, 10), later.chunk(0, 10), 1, 60_000);
        test.sync();
        assertThat(test.partition.resumeOffset()).isEqualTo(-1);

        TestBlock last = TestBlock.of("last", 10);
        test.partition.apply(last.key(), last.header(0, 10), last.chunk(0, 10), 2, 60_001);

        assertThat(stats().openPartials()).isZero();
        assertThat(stats().expiredPartials()).isEqualTo(1);
        assertThat(slow.applyChunk(test.partition, 1000, 1000, 3)).isEqualTo(ApplyResult.ORPHAN);
        test.assertAbsent(slow);
        test.sync();
        assertThat(test.partition.resumeOffset()).isEqualTo(3);
        assertThat(slow.again(2).applyWhole(test.partition, 4)).isEqualTo(ApplyResult.STORED);
    }

    @Test
    void aPartialExpiresByIdleTime() {
        TestBlock slow = TestBlock.of("slow", 2000);
        test.put(slow, 0, 500);
        test.clock.set(Duration.ofSeconds(59).toNanos());
        test.put(slow, 500, 500);
        test.clock.set(Duration.ofSeconds(118).toNanos());
        test.sync();
        assertThat(stats().openPartials()).isEqualTo(1);

        test.clock.set(Duration.ofMinutes(2).toNanos());
        test.sync();

        assertThat(stats().openPartials()).isZero();
        assertThat(stats().partialBytes()).isZero();
        assertThat(stats().expiredPartials()).isEqualTo(1);
        assertThat(test.put(slow, 1000, 1000)).isEqualTo(ApplyResult.ORPHAN);
        test.assertAbsent(slow);
    }

    @Test
    void aSegmentWithAnOpenPartialIsNotEvicted() {
        TestBlock slow = TestBlock.of("slow", 1_000_000);
        test.put(slow, 0, 500_000);
        for (int i = 0; i < 200; i++) {
            assertThat(test.put(block(i))).isEqualTo(ApplyResult.STORED);
        }
        assertThat(stats().evictedSegments()).isPositive();
        assertThat(test.segment(1, "data")).exists();

        assertThat(test.put(slow, 500_000, 500_000)).isEqualTo(ApplyResult.STORED);

        test.assertStands(slow);
    }

    @Test
    void removalsOutliveTheirSegmentWhileAnOlderOneLives() throws IOException {
        // Given a block in the first segment, which a partial keeps, and its removal in the log of a later one.
        TestBlock slow = TestBlock.of("slow", 1_000_000);
        TestBlock gone = TestBlock.of("gone", 1000);
        TestBlock set = TestBlock.of("set", 1000).set(1);
        test.put(slow, 0, 500_000);
        test.put(gone);
        test.put(set);
        test.sync();
        for (int i = 0; i < 20; i++) {
            test.put(block(i));
        }
        test.remove(gone);
        test.put(set.set(2));
        test.sync();
        // When the later one goes first,
        for (int i = 20; i < 200; i++) {
            test.put(block(i));
        }
        test.assertAbsent(set);
        test.sync();
        assertThat(test.segment(1, "data")).exists();
        long resume = test.partition.resumeOffset();
        test.close();
        Damage.deleteTree(dir.resolve("index"));

        // then a rebuild finds neither the removed block nor the older value.
        test.open();
        test.assertAbsent(gone, set);
        assertThat(test.partition.applied()).isEqualTo(resume);
        assertThat(standing(0, 200)).isEqualTo(stats().blocks());
    }

    @Test
    void manySmallBlocksGoWithTheirSegments() {
        int count = 30_000;
        for (int i = 0; i < count; i++) {
            assertThat(TestBlock.of("s" + i, 3000).applyWhole(test.partition, i))
                    .isEqualTo(ApplyResult.STORED);
        }
        TestStore.await(
                "eviction rests",
                () -> stats().diskBytes() < TestStore.CAPACITY - (8 << 20)
                        && stats().blocks() + stats().evictedBlocks() == count);
        long blocks = stats().blocks();
        assertThat(blocks).isBetween(12_000L, 22_000L);
        test.assertStands(TestBlock.of("s" + (count - 1), 3000));
        test.reopen();
        assertThat(stats().blocks() + stats().evictedBlocks()).isEqualTo(blocks);
    }
}
