package io.kvern.worker.load;

import io.kvern.model.BlockId;

/**
 * What became of one block.
 *
 * @param length bytes put into the destination; 0 unless {@link LoadStatus#LOADED}
 * @param detail why, for a person; empty where there is nothing to say
 */
public record BlockLoad(BlockId id, LoadStatus status, int length, String detail) {}
