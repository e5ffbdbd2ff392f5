package io.kvern.store.segment;

import io.kvern.model.BlockKey;
import java.util.Map;
import java.util.UUID;

/** One entry of a segment's log. Every frame belongs to a sync point, whose number orders frames over all logs. */
public sealed interface Frame {
    /** A block is complete at this place of this log's own segment. */
    record Put(BlockKey key, BlockLocation location) implements Frame {}

    /** Blocks of this key whose place in log order is below {@code before} are gone. */
    record Remove(BlockKey key, long before) implements Frame {}

    /** A segment and all its blocks are gone, on purpose. */
    record Evicted(long segment) implements Frame {}

    /**
     * The sync point is complete.
     *
     * @param topicId of the log that the store follows
     * @param partitions how many partitions it has
     * @param offsets partition to its last offset that is safe with all effects
     * @param logLengths segment to the length its log had at least: a shorter one has lost frames
     */
    record Resume(UUID topicId, int partitions, Map<Integer, Long> offsets, Map<Long, Long> logLengths)
            implements Frame {
        public Resume {
            offsets = Map.copyOf(offsets);
            logLengths = Map.copyOf(logLengths);
        }
    }

    /**
     * A frame with the number of its sync point.
     *
     * @param end where in the log the frame ends
     */
    record At(long sync, Frame frame, long end) {}
}
