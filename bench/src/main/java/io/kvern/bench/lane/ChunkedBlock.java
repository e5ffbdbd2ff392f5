package io.kvern.bench.lane;

import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Crc32c;
import io.kvern.model.PublishId;
import io.kvern.model.WriteMode;
import io.kvern.protocol.Topics;
import io.kvern.store.PartitionHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A block's chunks on the heap with their CRCs, as a node gets them from Kafka. */
record ChunkedBlock(List<Piece> chunks, int crc, int length) {
    /** A chunk's payload and its CRC-32C. */
    record Piece(ByteBuffer payload, int crc) {}

    static ChunkedBlock of(byte[] block) {
        List<Piece> chunks = new ArrayList<>();
        for (int from = 0; from < block.length; from += Topics.CHUNK_PAYLOAD_BYTES) {
            // An array of its own, as each record's value is.
            ByteBuffer chunk = ByteBuffer.wrap(
                    Arrays.copyOfRange(block, from, Math.min(block.length, from + Topics.CHUNK_PAYLOAD_BYTES)));
            chunks.add(new Piece(chunk, Crc32c.of(chunk.duplicate())));
        }
        return new ChunkedBlock(chunks, Crc32c.of(ByteBuffer.wrap(block)), block.length);
    }

    /**
     * Applies all chunks.
     *
     * @param sequence of the publication
     * @param firstOffset of the first chunk's record
     * @return the offset behind the last
     */
    long apply(PartitionHandle partition, BlockKey key, long sequence, long firstOffset) {
        PublishId publishId = new PublishId(1, 1, sequence);
        long offset = firstOffset;
        int at = 0;
        for (Piece chunk : chunks) {
            int bytes = chunk.payload().remaining();
            ChunkHeader header = new ChunkHeader(
                    publishId, 0, WriteMode.IF_ABSENT, length, at, bytes, crc, chunk.crc(), List.of(), null, 0, 0);
            partition.apply(key, header, chunk.payload().duplicate(), offset++, 0);
            at += bytes;
        }
        return offset;
    }
}
