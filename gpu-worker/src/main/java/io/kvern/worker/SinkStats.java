package io.kvern.worker;

/**
 * Counters of an {@link EvictionSink} since it was made.
 *
 * @param evicted blocks that were handed over
 * @param published of them, those whose every chunk Kafka acknowledged
 * @param publishedBytes their bytes
 * @param dropped blocks that the publisher's byte budget had no room for
 * @param failed blocks that were not acknowledged in time, or that the publisher would not take
 * @param leased slots whose bytes the publisher still reads
 */
public record SinkStats(long evicted, long published, long publishedBytes, long dropped, long failed, long leased) {}
