package io.kvern.store;

/**
 * Counters since the store was opened, and gauges of now. Bytes where nothing else is said.
 *
 * @param blocks visible blocks
 * @param liveBytes payload of visible blocks
 * @param diskBytes all files of the store, unlinked ones that are still being read included
 * @param capacityBytes the hard cap
 * @param segments segment pairs on disk
 * @param openPartials blocks that wait for chunks
 * @param partialBytes space reserved for them
 * @param stored blocks that became visible
 * @param storedBytes their payload
 * @param duplicates chunks that brought nothing new
 * @param conflicts {@code IF_ABSENT} chunks with other bytes than those that stand
 * @param superseded chunks that a later record had decided already
 * @param refused blocks that found no room
 * @param expiredPartials blocks whose chunks stopped coming
 * @param removed blocks removed by the log
 * @param evictedBlocks blocks that went with their segment
 * @param evictedSegments segments evicted for room
 * @param keptBlocks blocks that were wanted, and written again when their segment went
 * @param keptBytes their payload
 * @param reads blocks read and verified
 * @param readBytes their payload
 * @param misses reads that found no block
 * @param corrupt blocks found damaged, and dropped
 * @param readErrors reads that the disk failed
 * @param writeErrors writes that the disk failed
 * @param syncs sync points reached
 * @param syncFailures sync points that the disk failed
 */
public record StoreStats(
        long blocks,
        long liveBytes,
        long diskBytes,
        long capacityBytes,
        long segments,
        long openPartials,
        long partialBytes,
        long stored,
        long storedBytes,
        long duplicates,
        long conflicts,
        long superseded,
        long refused,
        long expiredPartials,
        long removed,
        long evictedBlocks,
        long evictedSegments,
        long keptBlocks,
        long keptBytes,
        long reads,
        long readBytes,
        long misses,
        long corrupt,
        long readErrors,
        long writeErrors,
        long syncs,
        long syncFailures) {}
