package io.kvern.ingest;

/** How the publication of one block ended. */
public sealed interface PublishOutcome {
    /**
     * Kafka acknowledged every chunk.
     *
     * @param partition of {@code kvern.blocks}
     * @param firstOffset of the block's first chunk: its place in log order
     * @param lastOffset of the chunk acknowledged last: who has applied it can serve the block
     */
    record Published(int partition, long firstOffset, long lastOffset) implements PublishOutcome {}

    /** The byte budget was spent; nothing was sent, and the block is counted. */
    record Dropped(long budgetBytes, long inFlightBytes) implements PublishOutcome {}

    /** Not every chunk was acknowledged in time. Those that were expire in the stores. */
    record Failed(String reason, Throwable cause) implements PublishOutcome {}
}
