package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.Fingerprint;
import io.kvern.model.KvernException;
import io.kvern.store.index.BlockIndex;
import io.kvern.store.index.IndexDamagedException;
import io.kvern.store.segment.BlockLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An index whose failures are the store's: an engine that cannot answer must never look like "absent". One that finds its own
 * files damaged leaves a mark, so that the next opening builds the index anew.
 */
final class GuardedIndex implements BlockIndex {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedIndex.class);

    private final BlockIndex index;
    private final Path damagedMark;

    GuardedIndex(BlockIndex index, Path damagedMark) {
        this.index = index;
        this.damagedMark = damagedMark;
    }

    private <T extends @Nullable Object> T guarded(Supplier<T> call) {
        try {
            return call.get();
        } catch (IndexDamagedException e) {
            mark(e);
            throw new StoreFailedException(
                    "the index is damaged; it is built anew at the next start: " + e.getMessage(), e);
        } catch (StoreFailedException e) {
            throw e;
        } catch (KvernException e) {
            throw new StoreFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    private void guarded(Runnable call) {
        guarded(() -> {
            call.run();
            return true;
        });
    }

    private void mark(IndexDamagedException damage) {
        try {
            if (!Files.exists(damagedMark)) {
                LOG.error("The index is damaged; it is built anew at the next start", damage);
                Files.writeString(damagedMark, String.valueOf(damage.getMessage()));
            }
        } catch (IOException e) {
            damage.addSuppressed(e);
        }
    }

    @Override
    public @Nullable BlockLocation get(BlockKey key) {
        return this.<@Nullable BlockLocation>guarded(() -> index.get(key));
    }

    @Override
    public List<@Nullable BlockLocation> getAll(List<BlockKey> keys) {
        return guarded(() -> index.getAll(keys));
    }

    @Override
    public void forEach(int firstSlot, int lastSlot, BiConsumer<BlockKey, BlockLocation> action) {
        guarded(() -> index.forEach(firstSlot, lastSlot, action));
    }

    @Override
    public Meta meta() {
        return guarded(index::meta);
    }

    @Override
    public Batch newBatch() {
        return new GuardedBatch(index.newBatch());
    }

    @Override
    public long diskBytes() {
        return index.diskBytes();
    }

    @Override
    public void close() {
        index.close();
    }

    /** Only the writing itself can meet the engine's files. */
    private final class GuardedBatch implements Batch {
        private final Batch batch;

        GuardedBatch(Batch batch) {
            this.batch = batch;
        }

        @Override
        public void put(BlockKey key, BlockLocation location) {
            batch.put(key, location);
        }

        @Override
        public void delete(BlockKey key) {
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
            guarded(() -> batch.write(durable));
        }

        @Override
        public void close() {
            batch.close();
        }
    }
}
