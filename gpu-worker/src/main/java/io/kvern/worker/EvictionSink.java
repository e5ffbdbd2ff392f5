package io.kvern.worker;

import io.kvern.ingest.BlockPublisher;
import io.kvern.ingest.BlockPut;
import io.kvern.ingest.Publication;
import io.kvern.ingest.PublishOutcome;
import io.kvern.model.InvalidInputException;
import io.kvern.worker.memory.PinnedLease;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the blocks that an engine gives up, in pinned slots, and publishes them. It never waits longer than its publisher
 * does: where the byte budget is spent, the block is dropped and counted. Safe in any thread.
 */
public final class EvictionSink {
    private static final Logger LOG = LoggerFactory.getLogger(EvictionSink.class);

    private final BiFunction<BlockPut, ByteBuffer, Publication> publisher;
    private final LongAdder evicted = new LongAdder();
    private final LongAdder published = new LongAdder();
    private final LongAdder publishedBytes = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder leased = new LongAdder();

    /** The caller keeps {@code publisher}, and closes it after the last eviction. */
    public EvictionSink(BlockPublisher publisher) {
        this.publisher = publisher::publish;
    }

    /** For what publishes in tests. */
    EvictionSink(BiFunction<BlockPut, ByteBuffer, Publication> publisher) {
        this.publisher = publisher;
    }

    /**
     * Publishes the first {@code length} bytes of the slot, which must be complete: after the event of the copy that filled
     * it. The sink holds the lease on its own account until the publisher is done with the bytes; the caller releases its
     * hold whenever it likes, and leaves the bytes alone until {@link Publication#released()}.
     *
     * @param length 1 to the slot's size
     * @throws InvalidInputException where the length is impossible, or the publisher cannot take such a block at all; the
     *     lease is as it was
     */
    public Publication evict(BlockPut put, PinnedLease lease, int length) {
        if (length < 1 || length > lease.capacity()) {
            throw new InvalidInputException("block %s has %d bytes; 1 to the slot's %d are allowed"
                    .formatted(put.key(), length, lease.capacity()));
        }
        evicted.increment();
        lease.retain();
        leased.increment();
        Publication publication;
        try {
            publication = publisher.apply(put, lease.buffer().limit(length));
        } catch (RuntimeException e) {
            failed.increment();
            leased.decrement();
            lease.release();
            throw e;
        }
        // Neither future is waited for, and what hangs on them does not throw.
        var _ = publication.released().whenComplete((nothing, error) -> letGo(lease));
        var _ = publication.outcome().handle((outcome, error) -> count(outcome, length));
        return publication;
    }

    private void letGo(PinnedLease lease) {
        leased.decrement();
        try {
            lease.release();
        } catch (IllegalStateException e) {
            LOG.error("a slot was released by somebody who did not hold it, while its block was being published", e);
        }
    }

    private @Nullable Void count(@Nullable PublishOutcome outcome, int length) {
        switch (outcome) {
            case PublishOutcome.Published _ -> {
                published.increment();
                publishedBytes.add(length);
            }
            case PublishOutcome.Dropped _ -> dropped.increment();
            case PublishOutcome.Failed _ -> failed.increment();
            case null -> failed.increment();
        }
        return null;
    }

    /** The counters as they stand; sums may be a block apart while blocks are under way. */
    public SinkStats stats() {
        return new SinkStats(
                evicted.sum(), published.sum(), publishedBytes.sum(), dropped.sum(), failed.sum(), leased.sum());
    }
}
