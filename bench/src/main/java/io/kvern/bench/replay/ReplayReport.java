package io.kvern.bench.replay;

/**
 * What a replay found. Rates of hits are shares of blocks, 0 to 1; a gigabyte is 10^9 bytes.
 *
 * @param trace its name
 * @param requests replayed
 * @param blocks of their prompts
 * @param uniqueBlocks different ones among them
 * @param tokens of their prompts
 * @param blockBytes payload of a block
 * @param capacityBytes the store's hard cap
 * @param speed times the trace's own; 0 where requests followed each other at once
 * @param hitBlocks leading blocks that were loaded and verified, byte by byte
 * @param idealHitBlocks those of an endless cache
 * @param publishedBlocks acknowledged by Kafka
 * @param publishedGigabytesPerSecond while anything was under way
 * @param loadedBytes that came, used or not
 * @param loadedGigabytesPerSecond while loading
 * @param loadMillisP50 of whole prefixes
 * @param loadMillisP99 of whole prefixes
 * @param corrupt blocks that came to the worker with other bytes than those that were published
 * @param damaged blocks that a checksum found damaged in the store, which dropped them: misses, not wrong bytes
 * @param dropped blocks that the publisher had no room for
 * @param failed blocks that Kafka did not acknowledge
 * @param unsure matches and loads without a sure answer
 * @param goneBlocks matched, and evicted before they were loaded
 * @param storeDuplicates chunks of blocks that were stored already
 * @param storeRefused blocks that the store had no room for
 * @param storeEvictedBlocks went with their segment
 * @param storeEvictedSegments evicted for room
 * @param storeKeptBlocks written again when their segment went, since they had been wanted
 * @param storeLiveBytes payload stored at the end
 * @param lateRequests that began later than the trace says
 * @param mostLateSeconds the latest of them
 */
record ReplayReport(
        String trace,
        long requests,
        long blocks,
        long uniqueBlocks,
        long tokens,
        int blockBytes,
        long capacityBytes,
        double speed,
        long hitBlocks,
        double hitRate,
        long idealHitBlocks,
        double idealHitRate,
        long publishedBlocks,
        long publishedBytes,
        double publishedGigabytesPerSecond,
        long loadedBytes,
        double loadedGigabytesPerSecond,
        double loadMillisP50,
        double loadMillisP99,
        long corrupt,
        long damaged,
        long dropped,
        long failed,
        long unsure,
        long goneBlocks,
        long storeDuplicates,
        long storeRefused,
        long storeEvictedBlocks,
        long storeEvictedSegments,
        long storeKeptBlocks,
        long storeLiveBytes,
        long lateRequests,
        double mostLateSeconds,
        double wallSeconds) {
    /** Whether every byte was what it should be, in the worker and in the store. */
    boolean intact() {
        return corrupt == 0 && damaged == 0;
    }
}
