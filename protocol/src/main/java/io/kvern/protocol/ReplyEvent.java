package io.kvern.protocol;

import io.kvern.model.BlockKey;
import io.kvern.model.InvalidInputException;
import io.kvern.model.Limits;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A record of {@code kvern.replies}, decoded. */
public sealed interface ReplyEvent {
    /** Of the request that it answers. */
    UUID requestId();

    /**
     * A piece of a block, or all of it; not verified.
     *
     * @param offset where in the block the payload begins, in bytes
     * @param totalLength of the whole block in bytes, 1 to {@link Limits#MAX_BLOCK_BYTES}
     * @param blockCrc CRC-32C of the whole block
     * @param payload a slice of the record's own array, not a copy; at least 1 byte remains
     */
    record Chunk(UUID requestId, BlockKey key, int offset, int totalLength, int blockCrc, ByteBuffer payload)
            implements ReplyEvent {
        /** @throws InvalidInputException if the numbers can belong to no block */
        public Chunk {
            checkPlace(offset, payload.remaining(), totalLength);
        }

        /** Without the payload's bytes: an event may stand in a log. */
        @Override
        public String toString() {
            return "Chunk[%s, %s, %d of %d]".formatted(requestId, key, offset, totalLength);
        }
    }

    /**
     * A block does not come.
     *
     * @param key null for every block of the request that has not been answered
     * @param detail for a person; may be empty
     */
    record Status(UUID requestId, @Nullable BlockKey key, LoadAnswer status, String detail) implements ReplyEvent {}

    /** Whether {@code length} bytes at {@code offset} can be a piece of a block. */
    static void checkPlace(int offset, int length, int totalLength) {
        if (totalLength < 1 || totalLength > Limits.MAX_BLOCK_BYTES) {
            throw new InvalidInputException(
                    "block has %d bytes; 1 to %d are possible".formatted(totalLength, Limits.MAX_BLOCK_BYTES));
        }
        if (offset < 0 || length < 1 || offset > totalLength - length) {
            throw new InvalidInputException("chunk of %d bytes at offset %d does not fit a block of %d bytes"
                    .formatted(length, offset, totalLength));
        }
    }
}
