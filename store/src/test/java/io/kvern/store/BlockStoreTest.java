package io.kvern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.InvalidInputException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of one partition, through the public API alone. */
class BlockStoreTest {
    private static final PartitionRef PARTITION = new PartitionRef(new UUID(1, 2), 0, 1);

    @TempDir
    private Path dir;

    private BlockStore store;
    private PartitionHandle partition;

    @BeforeEach
    void open() {
        store = BlockStores.open(config());
        partition = store.attach(PARTITION);
    }

    private StoreConfig config() {
        return new StoreConfig(dir, 64 << 20, 0.8, 0, 4 << 20, 16 << 20, 1 << 30, Duration.ofHours(1), 8 << 20);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void reopen() {
        store.close();
        open();
    }

    static byte[] read(BlockStore store, TestBlock block) {
        ByteBuffer into = ByteBuffer.allocateDirect(block.length());
        assertThat(store.readInto(block.key(), into)).isInstanceOf(ReadResult.Loaded.class);
        byte[] bytes = new byte[into.flip().remaining()];
        into.get(bytes);
        return bytes;
    }

    private void assertStands(TestBlock block) {
        assertThat(read(store, block)).isEqualTo(block.bytes());
    }

    private void assertAbsent(TestBlock block) {
        assertThat(store.find(block.key())).isNull();
        assertThat(store.readInto(block.key(), ByteBuffer.allocate(block.length())))
                .isInstanceOf(ReadResult.Absent.class);
    }

    @Test
    void aBlockOfOneChunkIsThereAtOnceAndAfterReopening() {
        TestBlock block = TestBlock.of("a", 100_000);

        assertThat(block.applyWhole(partition, 0)).isEqualTo(ApplyResult.STORED);

        assertStands(block);
        reopen();
        assertStands(block);
        assertThat(partition.resumeOffset()).isZero();
        assertThat(store.stats().blocks()).isEqualTo(1);
    }

    @Test
    void chunksInAnyOrderBecomeVisibleInOneStep() {
        TestBlock block = TestBlock.of("b", 3_000_000);

        assertThat(block.applyChunk(partition, 2_000_000, 1_000_000, 0)).isEqualTo(ApplyResult.PARTIAL);
        assertThat(block.applyChunk(partition, 0, 1_000_000, 1)).isEqualTo(ApplyResult.PARTIAL);
        assertThat(block.applyChunk(partition, 0, 1_000_000, 2)).isEqualTo(ApplyResult.DUPLICATE);
        assertAbsent(block);
        store.sync(Duration.ofSeconds(10));
        assertThat(partition.resumeOffset()).isEqualTo(-1);
        assertThat(block.applyChunk(partition, 1_000_000, 1_000_000, 3)).isEqualTo(ApplyResult.STORED);

        assertStands(block);
        store.sync(Duration.ofSeconds(10));
        assertThat(partition.resumeOffset()).isEqualTo(3);
    }

    @Test
    void theFirstStandsWhereOnlyTheAbsentIsWritten() {
        TestBlock first = TestBlock.of("c", 5000);
        TestBlock other = new TestBlock("c", 5000, 9, first.mode(), 1234);
        first.applyWhole(partition, 0);

        assertThat(first.again(5).applyWhole(partition, 1)).isEqualTo(ApplyResult.DUPLICATE);
        assertThat(other.applyWhole(partition, 2)).isEqualTo(ApplyResult.CONFLICT);

        assertStands(first);
        assertThat(store.stats().conflicts()).isEqualTo(1);
    }

    @Test
    void theLastInLogOrderStandsWhereBlocksAreSet() {
        TestBlock one = TestBlock.of("d", 2000).set(1);
        TestBlock two = TestBlock.of("d", 2000).set(2);
        one.applyChunk(partition, 0, 1000, 0);
        assertThat(two.applyWhole(partition, 1)).isEqualTo(ApplyResult.STORED);

        assertThat(one.applyChunk(partition, 1000, 1000, 2)).isEqualTo(ApplyResult.SUPERSEDED);

        assertStands(two);
        assertThat(TestBlock.of("d", 2000).set(3).applyWhole(partition, 3)).isEqualTo(ApplyResult.STORED);
        assertStands(TestBlock.of("d", 2000).set(3));
    }

    @Test
    void aRemovalTakesTheBlockAndWhatBeganBefore() {
        TestBlock block = TestBlock.of("e", 4000);
        TestBlock begun = TestBlock.of("f", 4000);
        block.applyWhole(partition, 0);
        begun.applyChunk(partition, 0, 2000, 1);

        assertThat(partition.remove(block.key(), 2)).isTrue();
        assertThat(partition.remove(begun.key(), 3)).isFalse();
        assertThat(begun.applyChunk(partition, 2000, 2000, 4)).isEqualTo(ApplyResult.ORPHAN);

        assertAbsent(block);
        assertAbsent(begun);
        reopen();
        assertAbsent(block);
        assertThat(store.stats().blocks()).isZero();
        assertThat(block.again(77).applyWhole(partition, 5)).isEqualTo(ApplyResult.STORED);
        assertStands(block);
    }

    @Test
    void whatCanNeverBeValidIsToldAndItsOffsetCounts() {
        TestBlock block = TestBlock.of("g", 4000);

        assertThatThrownBy(() ->
                        partition.apply(block.key(), block.header(0, 2000), ByteBuffer.wrap(new byte[2000]), 0, 0))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("CRC");
        assertThat(partition.applied()).isZero();
        block.applyChunk(partition, 0, 2000, 1);
        assertThatThrownBy(() -> block.applyChunk(partition, 1000, 2000, 2))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("overlaps");
        assertThat(block.applyChunk(partition, 2000, 2000, 3)).isEqualTo(ApplyResult.ORPHAN);
        assertThat(block.again(3).applyWhole(partition, 4)).isEqualTo(ApplyResult.STORED);
        assertStands(block);
    }

    @Test
    void oldSegmentsGoAndTheCapHolds() {
        int blocks = 400;
        for (int i = 0; i < blocks; i++) {
            assertThat(TestBlock.of("h" + i, 500_000).applyWhole(partition, i)).isEqualTo(ApplyResult.STORED);
            assertThat(store.stats().diskBytes()).isLessThanOrEqualTo(64 << 20);
        }

        assertStands(TestBlock.of("h" + (blocks - 1), 500_000));
        assertAbsent(TestBlock.of("h0", 500_000));
        assertThat(store.stats().evictedSegments()).isPositive();
        reopen();
        // The second sync point comes after whatever eviction the opening found due.
        store.sync(Duration.ofSeconds(10));
        store.sync(Duration.ofSeconds(10));
        long left = store.stats().blocks();
        long standing = 0;
        for (int i = 0; i < blocks; i++) {
            TestBlock block = TestBlock.of("h" + i, 500_000);
            if (store.find(block.key()) != null) {
                assertStands(block);
                standing++;
            }
        }
        assertThat(standing).isEqualTo(left).isGreaterThan(80);
    }

    @Test
    void onlyAttachedPartitionsAreServed() {
        TestBlock block = TestBlock.of("i", 1000);
        block.applyWhole(partition, 0);

        partition.close();

        assertAbsent(block);
        partition = store.attach(PARTITION);
        assertStands(block);
        assertThat(partition.applied()).isZero();
        assertThatThrownBy(() -> store.attach(PARTITION)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anotherTopicIsRefusedWithBothNames() {
        partition.close();

        assertThatThrownBy(() -> store.attach(new PartitionRef(new UUID(3, 4), 0, 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(new UUID(1, 2).toString())
                .hasMessageContaining(new UUID(3, 4).toString());
        assertThatThrownBy(() -> store.attach(new PartitionRef(new UUID(1, 2), 0, 2)))
                .hasMessageContaining("with 1 partitions");
    }

    @Test
    void aDirectoryInUseNamesItsHolder() {
        assertThatThrownBy(() -> BlockStores.open(config()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("process " + ProcessHandle.current().pid());
    }
}
