package io.kvern.worker.load;

/**
 * Counters since the loader was made. Read without stopping anything, so sums may be a block apart.
 *
 * @param loaded blocks by status, likewise the next five
 * @param bytes payload bytes of loaded blocks
 * @param matches calls of match
 * @param wrongCrcs replies whose bytes did not fit their CRC, those that a second read put right included
 * @param connects connections that were opened
 * @param losses connections that failed, or could not be opened
 */
public record LoaderStats(
        long loaded,
        long missed,
        long corrupt,
        long late,
        long refused,
        long unsure,
        long bytes,
        long matches,
        long wrongCrcs,
        long connects,
        long losses) {}
