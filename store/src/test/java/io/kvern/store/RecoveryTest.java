package io.kvern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.InvalidInputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is damaged, missing or foreign in the directory costs what it held, and nothing else. */
class RecoveryTest {
    /** Four to a segment of 4 MiB. */
    private static final int LENGTH = 1_000_000;

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
        test.close();
    }

    private static TestBlock block(int number) {
        return TestBlock.of("r" + number, LENGTH);
    }

    private static TestBlock[] blocks(int from, int to) {
        TestBlock[] blocks = new TestBlock[to - from];
        for (int i = from; i < to; i++) {
            blocks[i - from] = block(i);
        }
        return blocks;
    }

    /** Twelve blocks in the segments 1, 2 and 3, each four synced by itself. */
    private void fill() {
        for (int i = 0; i < 12; i++) {
            assertThat(test.put(block(i))).isEqualTo(ApplyResult.STORED);
            if (i % 4 == 3) {
                test.sync();
            }
        }
        assertThat(test.segment(3, "data")).exists();
        assertThat(test.segment(4, "data")).doesNotExist();
    }

    /** The log from where the store wants it, as whoever feeds it would. */
    private void replay(long resume) {
        assertThat(test.partition.applied()).isEqualTo(resume);
        for (int i = (int) resume + 1; i < 12; i++) {
            test.put(block(i));
        }
        test.assertStands(blocks(0, 12));
    }

    private long countedBlocks() {
        return test.store.stats().blocks();
    }

    @Test
    void aMissingSegmentCostsItsBlocksAndTheOffsets() throws IOException {
        fill();
        test.close();
        Files.delete(test.segment(2, "data"));
        Files.delete(test.segment(2, "log"));

        test.open();

        test.assertStands(blocks(0, 4));
        test.assertAbsent(blocks(4, 8));
        test.assertStands(blocks(8, 12));
        assertThat(countedBlocks()).isEqualTo(8);
        replay(PartitionHandle.NONE);
        test.reopen();
        assertThat(test.partition.applied()).as("a loss is told once").isEqualTo(11);
        test.assertStands(blocks(0, 12));
    }

    @Test
    void halfAPairIsRemoved() throws IOException {
        fill();
        test.close();
        Files.delete(test.segment(2, "log"));
        Files.delete(test.segment(3, "data"));

        test.open();

        assertThat(test.segment(2, "data")).doesNotExist();
        assertThat(test.segment(3, "log")).doesNotExist();
        test.assertStands(blocks(0, 4));
        test.assertAbsent(blocks(4, 12));
        // What is left is all that the first sync point told.
        replay(3);
    }

    @Test
    void aDamagedHeaderCostsTheSegment() throws IOException {
        fill();
        test.close();
        Damage.flip(test.segment(2, "log"), 3);
        Damage.deleteTree(dir.resolve("index"));

        test.open();

        test.assertStands(blocks(0, 4));
        test.assertAbsent(blocks(4, 8));
        test.assertStands(blocks(8, 12));
        replay(PartitionHandle.NONE);
    }

    @Test
    void aDamagedFrameCostsWhatStandsBehindItInTheLog() throws IOException {
        fill();
        test.close();
        Damage.flip(test.segment(2, "log"), Files.size(test.segment(2, "log")) / 2);
        Damage.deleteTree(dir.resolve("index"));

        test.open();

        test.assertStands(blocks(0, 4));
        test.assertStands(blocks(8, 12));
        assertThat(countedBlocks()).isBetween(8L, 11L);
        replay(PartitionHandle.NONE);
    }

    @Test
    void aDamagedFrameIsNoMatterWhileTheIndexIsThere() throws IOException {
        fill();
        test.close();
        Damage.flip(test.segment(2, "log"), Files.size(test.segment(2, "log")) / 2);

        test.open();

        assertThat(test.partition.applied()).isEqualTo(11);
        test.assertStands(blocks(0, 12));
        // Evicting the segment still takes all of its entries away.
        for (int i = 100; countedBlocks() - i + 100 > 4; i++) {
            test.put(block(i));
        }
        TestStore.await("the first segments go", () -> test.store.find(block(7).key()) == null);
        test.sync();
        long standing = countAll(0, 200);
        assertThat(countedBlocks()).isEqualTo(standing);
    }

    private long countAll(int from, int to) {
        long standing = 0;
        for (int i = from; i < to; i++) {
            standing += test.stands(block(i)) ? 1 : 0;
        }
        return standing;
    }

    @Test
    void aFlippedBitOfThePayloadIsCorruptOnceThenAMissThenReplaced() throws IOException {
        fill();
        test.close();
        Damage.flip(test.segment(2, "data"), LENGTH / 2);
        test.open();

        ByteBuffer into = ByteBuffer.allocate(LENGTH);
        assertThat(test.readInto(block(4), into)).isInstanceOf(ReadResult.Corrupt.class);
        assertThat(into.position()).isZero();
        assertThat(test.readInto(block(4), into)).isInstanceOf(ReadResult.Absent.class);
        test.assertStands(blocks(5, 12));
        assertThat(test.store.stats().corrupt()).isEqualTo(1);
        assertThat(countedBlocks()).isEqualTo(11);

        assertThat(test.put(block(4).again(99))).isEqualTo(ApplyResult.STORED);
        test.assertStands(block(4));
        test.reopen();
        test.assertStands(blocks(0, 12));
    }

    @Test
    void aDuplicateOfADamagedBlockReplacesIt() throws IOException {
        fill();
        test.close();
        Damage.flip(test.segment(2, "data"), LENGTH / 2);
        test.open();

        assertThat(test.put(block(5).again(99))).isEqualTo(ApplyResult.DUPLICATE);
        assertThat(test.put(block(4).again(99))).isEqualTo(ApplyResult.STORED);

        test.assertStands(blocks(0, 12));
        assertThat(test.store.verify(block(4).key())).isTrue();
    }

    @Test
    void verifyDropsWhatIsDamaged() throws IOException {
        fill();
        Damage.flip(test.segment(1, "data"), 5);

        assertThat(test.store.verify(block(0).key())).isFalse();
        assertThat(test.store.verify(block(1).key())).isTrue();

        test.assertAbsent(block(0));
    }

    @Test
    void aShortDataFileCostsWhatItLacks() throws IOException {
        fill();
        test.close();
        cut(test.segment(2, "data"), 2L * LENGTH + 100_000);

        test.open();

        test.assertStands(blocks(0, 6));
        test.assertAbsent(blocks(6, 8));
        test.assertStands(blocks(8, 12));
        assertThat(countedBlocks()).isEqualTo(10);
        replay(PartitionHandle.NONE);
        test.reopen();
        assertThat(test.partition.applied()).isEqualTo(11);
    }

    @Test
    void aLogThatLostItsEndIsNotBelieved() throws IOException {
        fill();
        long before = Files.size(test.segment(3, "log"));
        assertThat(test.remove(block(0))).isTrue();
        test.sync();
        test.close();
        // The removal's frames are cut away, though the index has seen them: the next rebuild must not find the block
        // again.
        cut(test.segment(3, "log"), before);

        test.open();

        assertThat(test.partition.applied()).isEqualTo(11);
        assertThat(test.remove(block(0))).isTrue();
        test.close();
        Damage.deleteTree(dir.resolve("index"));
        test.open();
        test.assertAbsent(block(0));
        test.assertStands(blocks(1, 12));
    }

    private static void cut(Path file, long to) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(to);
        }
    }

    @Test
    void foreignFilesAreLeftAlone() throws IOException {
        fill();
        test.close();
        Path segments = dir.resolve("segments");
        List<Path> foreign = List.of(
                Files.writeString(segments.resolve("notes.txt"), "mine"),
                Files.writeString(segments.resolve("0000000000000002.bak"), "mine"),
                Files.writeString(segments.resolve("ffffffffffffffff.data"), "mine"),
                Files.writeString(dir.resolve("README"), "mine"),
                Files.createDirectory(segments.resolve("0000000000000005.data")));

        test.open();

        test.assertStands(blocks(0, 12));
        for (int i = 20; i < 24; i++) {
            test.put(block(i));
        }
        test.assertStands(blocks(20, 24));
        assertThat(foreign).allSatisfy(path -> assertThat(path).exists());
    }

    @Test
    void theIndexIsBuiltAnewWhereItIsAbsentOrDamaged() throws IOException {
        fill();
        test.remove(block(3));
        TestBlock set = TestBlock.of("set", 1000).set(1);
        test.put(set);
        test.put(set.set(2));
        test.close();
        List<Runnable> damages = List.of(
                () -> unchecked(() -> Damage.deleteTree(dir.resolve("index"))),
                () -> unchecked(() -> Damage.flip(Damage.newestNamed(dir.resolve("index"), "MANIFEST"), 20)),
                () -> unchecked(() -> Files.delete(dir.resolve("index").resolve("CURRENT"))),
                () -> unchecked(() -> Files.writeString(dir.resolve("index.damaged"), "so it was said")),
                () -> unchecked(() ->
                        Files.createDirectories(dir.resolve("index.building").resolve("left over"))));
        for (Runnable damage : damages) {
            damage.run();

            test.open();

            assertThat(test.partition.applied()).isEqualTo(14);
            test.assertStands(blocks(0, 3));
            test.assertAbsent(block(3));
            test.assertStands(blocks(4, 12));
            test.assertStands(set.set(2));
            assertThat(countedBlocks()).isEqualTo(12);
            assertThat(dir.resolve("index.building")).doesNotExist();
            assertThat(dir.resolve("index.damaged")).doesNotExist();
            test.close();
        }
        test.open();
    }

    private interface Step {
        void run() throws IOException;
    }

    private static void unchecked(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anIndexFoundDamagedWhileItRunsIsAnErrorNotAMissAndIsBuiltAnew() throws IOException {
        // Enough entries for many pages of a table file, which a close writes.
        List<TestBlock> small = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            small.add(TestBlock.of("small" + i, 100));
            test.put(small.getLast());
        }
        test.close();
        Damage.flip(Damage.largest(dir.resolve("index"), ".sst"), 500);
        test.open();

        int errors = 0;
        TestBlock unreadable = small.getFirst();
        for (TestBlock block : small) {
            try {
                test.assertStands(block);
            } catch (StoreFailedException e) {
                assertThat(e).hasMessageContaining("index is damaged");
                unreadable = block;
                errors++;
            }
        }
        assertThat(errors).isBetween(1, 300);
        assertThat(dir.resolve("index.damaged")).exists();
        TestBlock again = unreadable.again(7);
        assertThatThrownBy(() -> test.put(again)).isInstanceOf(StoreFailedException.class);
        test.reopen();

        test.assertStands(small.toArray(new TestBlock[0]));
        assertThat(test.partition.applied()).isEqualTo(599);
        assertThat(dir.resolve("index.damaged")).doesNotExist();
    }

    @Test
    void anEvictionCutOffBeforeTheUnlinkIsCompleted() throws IOException {
        // Given a store that evicts, and whose files were kept at the moment of the first unlink.
        Path copy = scratch.resolve("copy");
        Path withoutIndex = scratch.resolve("without index");
        List<Path> taken = new ArrayList<>();
        test.files.fault = (op, path, before) -> {
            if (op == FaultyFiles.Op.DELETE && before && taken.isEmpty()) {
                taken.add(path);
                test.files.copy(dir, copy);
                test.files.copy(dir, withoutIndex);
            }
        };
        int written = 0;
        while (test.store.stats().evictedSegments() == 0) {
            test.put(block(written++));
        }

        // When the copy is opened, with its index and without.
        TestStore crashed = new TestStore(copy, TestStore.config(copy));
        assertThat(crashed.segment(1, "data")).doesNotExist();
        assertThat(crashed.segment(1, "log")).doesNotExist();
        crashed.assertAbsent(blocks(0, 4));
        crashed.assertStands(blocks(4, 8));
        long blocks = crashed.store.stats().blocks();
        long resume = crashed.partition.applied();
        assertThat(resume).isPositive();
        crashed.close();
        Damage.deleteTree(copy);

        FaultyFiles.copyTree(withoutIndex, copy);
        Damage.deleteTree(copy.resolve("index"));
        crashed = new TestStore(copy, TestStore.config(copy));
        assertThat(crashed.segment(1, "data")).doesNotExist();
        crashed.assertAbsent(blocks(0, 4));
        crashed.assertStands(blocks(4, 8));
        assertThat(crashed.partition.applied()).isEqualTo(resume);
        assertThat(crashed.store.stats().blocks()).isEqualTo(blocks);
        crashed.close();
    }

    @Test
    void segmentIdsAreNeverUsedAgain() throws IOException {
        fill();
        test.close();
        for (int id = 1; id <= 3; id++) {
            Files.delete(test.segment(id, "data"));
            Files.delete(test.segment(id, "log"));
        }

        test.open();

        replay(PartitionHandle.NONE);
        for (int id = 1; id <= 3; id++) {
            assertThat(test.segment(id, "data")).doesNotExist();
        }
        assertThat(test.segment(4, "data")).exists();
    }

    @Test
    void whatNoSyncPointToldOfIsRemoved() throws IOException {
        fill();
        for (int i = 20; i < 24; i++) {
            test.put(block(i));
        }
        Path copy = scratch.resolve("copy");

        try (TestStore crashed = test.crashedInto(copy)) {
            assertThat(crashed.segment(4, "data")).doesNotExist();
            crashed.assertStands(blocks(0, 12));
            crashed.assertAbsent(blocks(20, 24));
            assertThat(crashed.partition.applied()).isEqualTo(11);
        }
    }

    @Test
    void whatWasForgottenStaysForgottenAndIsAppliedAgain() throws IOException {
        TestBlock once = TestBlock.of("once", 5000);
        TestBlock set = TestBlock.of("set", 5000).set(1);
        test.put(once);
        test.put(set, 0, 2500);
        assertThat(test.put(set, 2500, 2500)).isEqualTo(ApplyResult.STORED);
        test.sync();

        test.partition.forget();

        test.assertStands(once);
        test.assertAbsent(set);
        assertThat(test.partition.applied()).isEqualTo(PartitionHandle.NONE);
        assertThat(test.partition.resumeOffset()).isEqualTo(PartitionHandle.NONE);
        test.sync();
        Path copy = scratch.resolve("copy");
        try (TestStore crashed = test.crashedInto(copy)) {
            assertThat(crashed.partition.resumeOffset()).isEqualTo(PartitionHandle.NONE);
            crashed.assertAbsent(set);
        }
        assertThat(test.put(once)).isEqualTo(ApplyResult.DUPLICATE);
        assertThat(test.put(set, 0, 2500)).isEqualTo(ApplyResult.PARTIAL);
        assertThat(test.put(set, 2500, 2500)).isEqualTo(ApplyResult.STORED);
        test.assertStands(once, set);
    }

    @Test
    void aDirectoryThatCannotBeOneIsNamed() throws IOException {
        Path file = Files.writeString(dir.resolve("file"), "no directory");

        assertThatThrownBy(() -> BlockStores.open(TestStore.config(file)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("data.dir");
    }
}
