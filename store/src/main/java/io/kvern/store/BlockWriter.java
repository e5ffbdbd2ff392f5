package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import java.nio.ByteBuffer;

/** The writing side of one partition. Records come in log order, one thread at a time. */
public interface BlockWriter {
    /**
     * Applies one chunk. The payload is written in place at once; the block becomes visible, in one step, with the chunk
     * that completes it.
     *
     * @param payload the caller keeps it; its position may move
     * @param logOffset offset of the record, above every offset applied before through this writer
     * @param logTimestampMillis timestamp of the record; drives the expiry of partials
     * @throws io.kvern.model.InvalidInputException if the chunk can never be valid: its CRC is not that of its payload, or
     *     it contradicts the other chunks of its publication. The offset counts as applied all the same
     * @throws StoreFailedException if the store can take no records for the time being, after a failed sync say: the
     *     caller stops, and the records come again
     */
    ApplyResult apply(BlockKey key, ChunkHeader chunk, ByteBuffer payload, long logOffset, long logTimestampMillis);

    /** The record at this offset holds nothing for the store: a dead letter, or another kind of event. */
    void skip(long logOffset);
}
