package io.kvern.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.model.WriteMode;
import io.kvern.store.FaultyFiles.Op;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A newer value that the store cannot take: the older one is stale, and a miss is what is left. */
class RefusedSetTest {
    @TempDir
    private Path dir;

    private TestStore test;
    private final TestBlock old = new TestBlock("value", 10_000, 1, WriteMode.SET, 1);
    private final TestBlock newer = new TestBlock("value", 1_500_000, 2, WriteMode.SET, 2);
    private final TestBlock other = new TestBlock("other", 10_000, 1, WriteMode.SET, 3);

    @BeforeEach
    void open() {
        test = new TestStore(dir);
        test.put(old);
        test.put(other);
        test.sync();
        test.assertStands(old, other);
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void whereThereIsNoRoom() {
        test.close();
        test.config = test.withMinFree(Long.MAX_VALUE / 4);
        test.open();

        assertThat(test.put(newer)).isEqualTo(ApplyResult.REFUSED);

        onlyTheOtherStands();
    }

    @Test
    void whereNewerPartialsTakeItsRoom() {
        // A sixteenth of 64 MiB is 4 MiB: two of 1.5 MB fit.
        assertThat(test.put(newer, 0, 500_000)).isEqualTo(ApplyResult.PARTIAL);
        test.assertStands(old);
        for (int i = 0; i < 2; i++) {
            test.put(TestBlock.of("partial" + i, 1_500_000), 0, 500_000);
        }

        assertThat(test.put(newer, 500_000, 1_000_000)).isEqualTo(ApplyResult.ORPHAN);

        onlyTheOtherStands();
    }

    @Test
    void whereTheDiskRefusesItsSecondChunk() {
        assertThat(test.put(newer, 0, 500_000)).isEqualTo(ApplyResult.PARTIAL);
        test.files.fault = new FaultyFiles.Times(Op.WRITE, ".data", 1);

        assertThat(test.put(newer, 500_000, 1_000_000)).isEqualTo(ApplyResult.REFUSED);

        onlyTheOtherStands();
    }

    private void onlyTheOtherStands() {
        test.assertAbsent(old);
        test.assertStands(other);
        test.sync();
        test.reopen();
        test.assertAbsent(old);
        test.assertStands(other);
    }
}
