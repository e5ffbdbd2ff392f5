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
record ChunkedBlock(List<byte[]> chunks, int[] crcs, int crc, int length) {
    static ChunkedBlock of(byte[] block) {
        List<byte[]> chunks = new ArrayList<>();
        int[] crcs = new int[Math.ceilDiv(block.length, Topics.CHUNK_PAYLOAD_BYTES)];
        for (int from = 0; from < block.length; from += Topics.CHUNK_PAYLOAD_BYTES) {
            byte[] chunk = Arrays.copyOfRange(block, from, Math.min(block.length, from + Topics.CHUNK_PAYLOAD_BYTES));
            crcs[chunks.size()] = Crc32c.of(ByteBuffer.wrap(chunk));
            chunks.add(chunk);
        }
        return new ChunkedBlock(chunks, crcs, Crc32c.of(ByteBuffer.wrap(block)), block.length);
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
        for (int i = 0; i < chunks.size(); i++) {
            byte[] chunk = chunks.get(i);
            ChunkHeader header = new ChunkHeader(
                    publishId, 0, WriteMode.IF_ABSENT, length, at, chunk.length, crc, crcs[i], List.of(), null, 0, 0);
            partition.apply(key, header, ByteBuffer.wrap(chunk), offset++, 0);
            at += chunk.length;
        }
        return offset;
    }
}
