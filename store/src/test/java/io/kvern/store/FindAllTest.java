package io.kvern.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.model.BlockKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many keys at once get the answers that each would get alone, wherever its entry is. */
class FindAllTest {
    /** More than the index is asked for at once, of keys that together are longer than its memory for keys. */
    private static final int BLOCKS = 600;

    @TempDir
    private Path dir;

    private TestStore store;

    @BeforeEach
    void open() {
        store = new TestStore(dir);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static TestBlock block(int number) {
        return TestBlock.of("block-" + number + "-".repeat(number % 900), 100 + number);
    }

    @Test
    void answersAsOneByOne() {
        for (int i = 0; i < BLOCKS; i += 2) {
            store.put(block(i));
        }
        store.sync();
        for (int i = 0; i < BLOCKS; i += 10) {
            store.remove(block(i));
        }
        for (int i = 1; i < BLOCKS; i += 4) {
            store.put(block(i));
        }

        List<BlockKey> keys = new ArrayList<>();
        List<@Nullable BlockInfo> alone = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            keys.add(block(i).key());
            alone.add(store.store.find(block(i).key()));
        }
        keys.add(block(2).key());
        alone.add(store.store.find(block(2).key()));

        assertThat(alone).containsNull().anyMatch(info -> info != null);
        assertThat(store.store.findAll(keys)).isEqualTo(alone);
        store.reopen();
        assertThat(store.store.findAll(keys)).isEqualTo(alone);
    }

    @Test
    void findsNothingOfADetachedPartition() {
        store.put(block(2));
        store.sync();
        store.partition.close();
        assertThat(store.store.findAll(List.of(block(2).key(), block(3).key()))).containsExactly(null, null);
    }

    @Test
    void takesNoKeysAtAll() {
        assertThat(store.store.findAll(List.of())).isEmpty();
    }
}
