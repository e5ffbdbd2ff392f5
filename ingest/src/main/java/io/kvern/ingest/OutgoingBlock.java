package io.kvern.ingest;

import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Crc32c;
import io.kvern.protocol.BlockEventCodec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A block on its way, in chunks. The caller's memory is read only while the monitor of {@link #memory} is held, and given
 * back under it: once {@link #released} has completed nobody reads it again.
 */
final class OutgoingBlock extends Outgoing {
    private final ChunkHeader first;
    private final int chunkBytes;
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private final Object memory = new Object();

    /** Guarded by {@code memory}; null once it belongs to the caller again. */
    private @Nullable ByteBuffer payload;

    // Of the sender only.
    private int[] chunkCrcs = {};
    private int blockCrc;

    /**
     * @param first header of the first chunk, its CRCs not yet known
     * @param payload the whole block
     */
    OutgoingBlock(
            BlockKey key,
            int partition,
            ChunkHeader first,
            ByteBuffer payload,
            int chunkBytes,
            Thread sender,
            FailureReason reasons,
            Listener listener) {
        super(
                key,
                partition,
                Math.ceilDiv(first.totalLength(), chunkBytes),
                reserved(first.totalLength()),
                sender,
                reasons,
                listener);
        this.first = first;
        this.payload = payload;
        this.chunkBytes = chunkBytes;
    }

    static long reserved(int length) {
        return (long) length + PublisherConfig.OVERHEAD_BYTES;
    }

    int length() {
        return first.totalLength();
    }

    int chunks() {
        return Math.ceilDiv(length(), chunkBytes);
    }

    Publication publication() {
        return new Publication(key(), released, outcome());
    }

    /** Takes the CRC of every chunk and of the block in one pass; false where the block was decided meanwhile. */
    boolean checksum() {
        int[] crcs = new int[chunks()];
        int whole = 0;
        for (int chunk = 0; chunk < crcs.length; chunk++) {
            synchronized (memory) {
                if (payload == null) {
                    return false;
                }
                crcs[chunk] = Crc32c.of(payload.slice(offset(chunk), length(chunk)));
            }
            whole = chunk == 0 ? crcs[0] : Crc32c.combine(whole, crcs[chunk], length(chunk));
        }
        chunkCrcs = crcs;
        blockCrc = whole;
        return true;
    }

    /** The value of the record of one chunk, counted from 0; null where the block was decided meanwhile. */
    byte @Nullable [] encode(int chunk) {
        ChunkHeader header = new ChunkHeader(
                first.publishId(),
                first.epoch(),
                first.mode(),
                length(),
                offset(chunk),
                length(chunk),
                blockCrc,
                chunkCrcs[chunk],
                chunk == 0 ? first.components() : List.of(),
                chunk == 0 ? first.parentId() : null,
                first.createdAtMillis(),
                first.expiresAtMillis());
        byte[] value;
        synchronized (memory) {
            if (payload == null) {
                return null;
            }
            value = BlockEventCodec.encodeChunk(header, payload.slice(header.offset(), header.length()));
        }
        if (chunk == chunks() - 1) {
            letGo();
        }
        return value;
    }

    @Override
    void letGo() {
        synchronized (memory) {
            payload = null;
        }
        released.complete(null);
    }

    private int offset(int chunk) {
        return chunk * chunkBytes;
    }

    private int length(int chunk) {
        return Math.min(chunkBytes, length() - offset(chunk));
    }
}
