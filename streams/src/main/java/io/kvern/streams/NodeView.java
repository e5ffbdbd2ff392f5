package io.kvern.streams;

import io.kvern.ingest.BlockPublisher;
import io.kvern.model.BlockKey;
import io.kvern.store.BlockStore;
import java.time.Duration;
import java.util.Map;

/** What the doors see of their node. Every method is safe in any thread. */
public interface NodeView {
    BlockStore store();

    /** For writes that come through a door; the log, not the store, is what a door writes to. */
    BlockPublisher publisher();

    /** The partition of {@code kvern.blocks} that the key belongs to. */
    int partitionOf(BlockKey key);

    Certainty certainty(BlockKey key);

    /** Waits until the answer is {@link Certainty#CURRENT}, at most {@code patience}; answers how it stands then. */
    Certainty awaitCurrent(BlockKey key, Duration patience) throws InterruptedException;

    /**
     * Waits until this node has applied the record at {@code offset} of {@code partition}, at most {@code patience}.
     *
     * @return whether it has; false at once where the partition is not attached here
     */
    boolean awaitApplied(int partition, long offset, Duration patience) throws InterruptedException;

    /** Name to value, in order, for INFO and {@code kvern stats}: state, partitions with applied offset and lag, counters. */
    Map<String, String> status();
}
