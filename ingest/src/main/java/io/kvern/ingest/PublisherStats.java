package io.kvern.ingest;

/**
 * What a publisher has done since its start, and what it has in hand. Bytes are those of payloads.
 *
 * @param publishedBlocks acknowledged by Kafka, in whole
 * @param droppedBlocks refused for want of budget
 * @param failedBlocks not acknowledged in time, or refused by Kafka
 * @param removals acknowledged by Kafka
 * @param failedRemovals not acknowledged, in time or at all, or refused for want of budget
 * @param inFlight blocks and removals without an outcome yet
 * @param inFlightBytes what they hold of the budget, {@link PublisherConfig#OVERHEAD_BYTES} each included
 */
public record PublisherStats(
        long publishedBlocks,
        long publishedBytes,
        long droppedBlocks,
        long droppedBytes,
        long failedBlocks,
        long failedBytes,
        long removals,
        long failedRemovals,
        long inFlight,
        long inFlightBytes) {}
