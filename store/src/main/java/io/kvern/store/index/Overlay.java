package io.kvern.store.index;

import io.kvern.model.BlockKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Entries since the last sync point. Two generations: one that is added to, and one that is frozen while it is being
 * persisted. A reader takes one snapshot of both, so that nothing slips between them.
 */
public final class Overlay {
    private record Generations(Map<BlockKey, IndexEntry> active, Map<BlockKey, IndexEntry> frozen) {}

    private volatile Generations generations = new Generations(new ConcurrentHashMap<>(), Map.of());

    /** The newest entry of the key, or null where only the persisted index can tell. */
    public @Nullable IndexEntry get(BlockKey key) {
        Generations now = generations;
        IndexEntry entry = now.active.get(key);
        return entry != null ? entry : now.frozen.get(key);
    }

    /** Only while freezing is excluded. */
    public @Nullable IndexEntry put(BlockKey key, IndexEntry entry) {
        return generations.active.put(key, entry);
    }

    /** Entries not frozen yet. */
    public int size() {
        return generations.active.size();
    }

    /** Only while adding is excluded. From now on the frozen entries stand still until {@link #dropFrozen()}. */
    public void freeze() {
        Generations now = generations;
        if (!now.frozen.isEmpty()) {
            throw new IllegalStateException("a frozen overlay is still there");
        }
        generations = new Generations(new ConcurrentHashMap<>(), now.active);
    }

    public void forEachFrozen(BiConsumer<BlockKey, IndexEntry> action) {
        generations.frozen.forEach(action);
    }

    public boolean hasFrozen() {
        return !generations.frozen.isEmpty();
    }

    /** The persisted index has them. */
    public void dropFrozen() {
        generations = new Generations(generations.active, Map.of());
    }

    /** Withdraws everything; only while adding is excluded. */
    public void clear() {
        generations = new Generations(new ConcurrentHashMap<>(), Map.of());
    }

    /** Every entry, frozen ones that were overwritten since included. */
    public void forEach(BiConsumer<BlockKey, IndexEntry> action) {
        Generations now = generations;
        now.frozen.forEach(action);
        now.active.forEach(action);
    }
}
