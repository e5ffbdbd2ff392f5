package io.kvern.worker.log;

/**
 * Counters since the loader was made. Read without stopping anything, so sums may be a block apart.
 *
 * @param loaded blocks that were loaded
 * @param notLoaded blocks that ended otherwise
 * @param bytes payload bytes of loaded blocks
 * @param requests records that were sent
 * @param foreign replies to requests that nobody here waits for: those of another loader, or late ones
 * @param ignored chunks that were had already, or whose predecessor was lost
 * @param invalid replies that cannot be decoded
 * @param wrongCrcs blocks whose bytes did not fit their CRC, those that a second answer put right included
 */
public record LogLoaderStats(
        long loaded,
        long notLoaded,
        long bytes,
        long requests,
        long foreign,
        long ignored,
        long invalid,
        long wrongCrcs) {}
