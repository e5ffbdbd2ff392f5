package io.kvern.store.index;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.kvern.model.BlockKey;
import io.kvern.model.Fingerprint;
import io.kvern.store.segment.BlockLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the locations that were asked for lately on the heap: a lookup in the engine costs microseconds, and an engine asks
 * for the same chains again and again. Never ahead of the index behind it, never behind it either: what a batch changes is
 * gone from here before the batch's {@code write} returns, and a reader that looked before that leaves nothing behind.
 */
public final class CachedIndex implements BlockIndex {
    /** Of an entry beside its key's bytes: objects, references, the cache's own node. */
    private static final int ENTRY_BYTES = 256;

    private static final int STRIPES = 64;

    private final BlockIndex index;
    private final Cache<BlockKey, BlockLocation> hot;

    /** Grows before each batch that is written: who read before it must not keep what it read. */
    private final AtomicLong batches = new AtomicLong();

    private final Object[] stripes = new Object[STRIPES];

    /**
     * @param index closed with this one
     * @param maxBytes of heap, about
     */
    public CachedIndex(BlockIndex index, long maxBytes) {
        this.index = index;
        this.hot = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((BlockKey key, BlockLocation location) -> key.length() + ENTRY_BYTES)
                .build();
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Object();
        }
    }

    private Object stripe(BlockKey key) {
        return stripes[key.hashCode() & (STRIPES - 1)];
    }

    @Override
    public @Nullable BlockLocation get(BlockKey key) {
        BlockLocation known = hot.getIfPresent(key);
        return known != null ? known : load(key);
    }

    private @Nullable BlockLocation load(BlockKey key) {
        long before = batches.get();
        BlockLocation found = index.get(key);
        if (found != null) {
            synchronized (stripe(key)) {
                if (batches.get() == before) {
                    hot.put(key, found);
                }
            }
        }
        return found;
    }

    @Override
    public List<@Nullable BlockLocation> getAll(List<BlockKey> keys) {
        List<@Nullable BlockLocation> found = new ArrayList<>(keys.size());
        for (BlockKey key : keys) {
            found.add(get(key));
        }
        return found;
    }

    @Override
    public void forEach(int firstSlot, int lastSlot, BiConsumer<BlockKey, BlockLocation> action) {
        index.forEach(firstSlot, lastSlot, action);
    }

    @Override
    public Meta meta() {
        return index.meta();
    }

    @Override
    public long diskBytes() {
        return index.diskBytes();
    }

    @Override
    public Batch newBatch() {
        return new Forgetting(index.newBatch());
    }

    @Override
    public void close() {
        hot.invalidateAll();
        index.close();
    }

    /** Forgets what it changes, also where the write fails: then nobody knows what the index has. */
    private final class Forgetting implements Batch {
        private final Batch batch;
        private final List<BlockKey> changed = new ArrayList<>();

        Forgetting(Batch batch) {
            this.batch = batch;
        }

        @Override
        public void put(BlockKey key, BlockLocation location) {
            changed.add(key);
            batch.put(key, location);
        }

        @Override
        public void delete(BlockKey key) {
            changed.add(key);
            batch.delete(key);
        }

        @Override
        public void lastSync(long sync) {
            batch.lastSync(sync);
        }

        @Override
        public void topic(UUID topicId, int partitions) {
            batch.topic(topicId, partitions);
        }

        @Override
        public void offset(int partition, long offset) {
            batch.offset(partition, offset);
        }

        @Override
        public void deleteOffset(int partition) {
            batch.deleteOffset(partition);
        }

        @Override
        public void segment(long id, SegmentState state) {
            batch.segment(id, state);
        }

        @Override
        public void deleteSegment(long segment) {
            batch.deleteSegment(segment);
        }

        @Override
        public void usage(Fingerprint namespace, UsageTotals totals) {
            batch.usage(namespace, totals);
        }

        @Override
        public void write(boolean durable) {
            try {
                batch.write(durable);
            } finally {
                // Behind the write: who looks from here on reads the new state. Before the entries go: who looked
                // earlier
                // either has left its entry already, which goes now, or sees the number and leaves none.
                batches.incrementAndGet();
                for (BlockKey key : changed) {
                    synchronized (stripe(key)) {
                        hot.invalidate(key);
                    }
                }
                changed.clear();
            }
        }

        @Override
        public void close() {
            batch.close();
        }
    }
}
