package io.kvern.app.demo.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.BlockId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PrefixCacheTest {
    private final OffHeapMemory memory = TinyModel.memory(16);
    private final PrefixCache cache = new PrefixCache();

    @Test
    void findsTheLeadingRunOnly() throws InterruptedException {
        cache.release(add("a", "b", "d"));

        assertThat(names(cache.take(ids("a", "b", "c", "d")))).containsExactly("a", "b");
        assertThat(cache.take(ids("x", "a"))).isEmpty();
    }

    @Test
    void evictsTheLeastRecentlyUsedAndOfAPromptTheLastFirst() throws InterruptedException {
        cache.release(add("a", "b"));
        cache.release(add("c", "d"));
        cache.release(cache.take(ids("a", "b")));

        assertThat(evictAll()).containsExactly("d", "c", "b", "a");
    }

    @Test
    void aSharedPrefixOutlivesWhatHangsOnIt() throws InterruptedException {
        cache.release(add("system", "user1"));
        List<KvBlock> second = cache.take(ids("system"));
        second.addAll(add("user2"));
        cache.release(second);

        assertThat(evictAll()).containsExactly("user1", "user2", "system");
    }

    @Test
    void whatIsReferredToIsNeverEvicted() throws InterruptedException {
        cache.release(add("a", "b"));
        List<KvBlock> first = cache.take(ids("a"));
        List<KvBlock> second = cache.take(ids("a"));

        assertThat(cache.evictable()).isEqualTo(1);
        cache.release(first);
        assertThat(evictAll()).containsExactly("b");
        cache.release(second);
        assertThat(evictAll()).containsExactly("a");
        assertThat(cache.size()).isZero();
    }

    @Test
    void aSecondBlockOfANameIsRefused() throws InterruptedException {
        cache.release(add("a"));

        assertThat(cache.add(block("a"))).isFalse();
        assertThat(cache.size()).isEqualTo(1);
    }

    @Test
    void aReleaseTooManyIsAnError() throws InterruptedException {
        List<KvBlock> run = add("a");
        cache.release(run);

        assertThatThrownBy(() -> cache.release(run)).hasMessageContaining("block a");
    }

    private List<KvBlock> add(String... names) throws InterruptedException {
        List<KvBlock> run = new ArrayList<>();
        for (String name : names) {
            KvBlock block = block(name);
            assertThat(cache.add(block)).isTrue();
            run.add(block);
        }
        return run;
    }

    private KvBlock block(String name) throws InterruptedException {
        BlockMemory.Slot slot = Objects.requireNonNull(memory.take(0));
        KvBlock block = new KvBlock(TinyModel.SHAPE, slot);
        block.name(BlockId.of(name), null, false);
        return block;
    }

    private List<String> evictAll() {
        List<KvBlock> evicted = new ArrayList<>();
        for (KvBlock block = cache.evict(); block != null; block = cache.evict()) {
            evicted.add(block);
        }
        return names(evicted);
    }

    private static List<String> names(List<KvBlock> blocks) {
        return blocks.stream().map(block -> block.id().toString()).toList();
    }

    private static List<BlockId> ids(String... names) {
        List<BlockId> ids = new ArrayList<>();
        for (String name : names) {
            ids.add(BlockId.of(name));
        }
        return ids;
    }
}
