package io.kvern.store.index;

import io.kvern.model.BlockKey;
import io.kvern.model.Fingerprint;
import io.kvern.store.segment.BlockLocation;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The persisted index. Reading from any thread, also while it is closed under the reader; one thread writes. */
public interface BlockIndex extends AutoCloseable {
    /**
     * @throws IndexDamagedException where the engine finds its own files damaged
     */
    @Nullable
    BlockLocation get(BlockKey key);

    /**
     * The same for many keys at once, which costs less than one after the other.
     *
     * @return as many answers in the same order, null where there is no entry
     */
    List<@Nullable BlockLocation> getAll(List<BlockKey> keys);

    /** Visits every block whose slot is within the bounds, in key order. */
    void forEach(int firstSlot, int lastSlot, BiConsumer<BlockKey, BlockLocation> action);

    /** What the last batch that was written said. */
    Meta meta();

    Batch newBatch();

    /** Bytes of all its files. */
    long diskBytes();

    @Override
    void close();

    /**
     * Everything that is persisted beside the blocks.
     *
     * @param lastSync number of the last sync point whose frames are in
     * @param topicId of the log that the store follows, null before the first sync point
     * @param partitions of that log
     * @param offsets partition to resume offset
     * @param segments every segment whose frames are in
     * @param usage namespace to its blocks and bytes
     */
    record Meta(
            long lastSync,
            @Nullable UUID topicId,
            int partitions,
            Map<Integer, Long> offsets,
            Map<Long, SegmentState> segments,
            Map<Fingerprint, UsageTotals> usage) {}

    /**
     * What a segment's files must have at least.
     *
     * @param log length of its log whose frames are in
     * @param data where the payload that those frames name ends
     */
    record SegmentState(long log, long data) {}

    /**
     * @param blocks visible blocks of a namespace
     * @param bytes their payload
     */
    record UsageTotals(long blocks, long bytes) {}

    /** Changes that become visible together. One thread. */
    interface Batch extends AutoCloseable {
        void put(BlockKey key, BlockLocation location);

        void delete(BlockKey key);

        void lastSync(long sync);

        void topic(UUID topicId, int partitions);

        void offset(int partition, long offset);

        void deleteOffset(int partition);

        void segment(long id, SegmentState state);

        void deleteSegment(long segment);

        void usage(Fingerprint namespace, UsageTotals totals);

        /**
         * Batches reach the disk in the order in which they were written, each whole or not at all; the newest ones only when
         * asked, or at a close.
         *
         * @param durable whether this one must survive the loss of power when this returns
         */
        void write(boolean durable);

        @Override
        void close();
    }
}
