package io.kvern.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a chunk of a block says of itself, beside its key and its payload bytes. A block travels as one chunk or
 * more; chunks of one {@link PublishId} may come in any order, and each is written in place.
 *
 * @param publishId which publication of the block this chunk belongs to
 * @param epoch the namespace's generation when the engine handed the block over; 0 where it was never cleared
 * @param mode what the write does where the key is already stored
 * @param totalLength length of the whole block in bytes, 1 to {@link Limits#MAX_BLOCK_BYTES}
 * @param offset where in the block the payload begins, in bytes
 * @param length payload length in bytes, at least 1
 * @param blockCrc CRC-32C of the whole block
 * @param chunkCrc CRC-32C of the payload
 * @param components the block's tensors in order, their lengths adding up to {@code totalLength}; on the chunk at offset 0
 *     only, and empty for a block without a table
 * @param parentId the block before this one in its chain, where known
 * @param createdAtMillis wall clock of the engine, milliseconds since 1970
 * @param expiresAtMillis wall clock after which the block may go, 0 for never
 */
public record ChunkHeader(
        PublishId publishId,
        long epoch,
        WriteMode mode,
        int totalLength,
        int offset,
        int length,
        int blockCrc,
        int chunkCrc,
        List<Component> components,
        @Nullable BlockId parentId,
        long createdAtMillis,
        long expiresAtMillis) {

    /** @throws InvalidInputException if the numbers can belong to no block */
    public ChunkHeader {
        components = List.copyOf(components);
        if (totalLength < 1 || totalLength > Limits.MAX_BLOCK_BYTES) {
            throw new InvalidInputException(
                    "block has %d bytes; 1 to %d are possible".formatted(totalLength, Limits.MAX_BLOCK_BYTES));
        }
        if (offset < 0 || length < 1 || offset > totalLength - length) {
            throw new InvalidInputException("chunk of %d bytes at offset %d does not fit a block of %d bytes"
                    .formatted(length, offset, totalLength));
        }
        if (epoch < 0) {
            throw new InvalidInputException("chunk has epoch %d; 0 or more is possible".formatted(epoch));
        }
        if (components.size() > Component.MAX_PER_BLOCK) {
            throw new InvalidInputException("block has %d components; at most %d are possible"
                    .formatted(components.size(), Component.MAX_PER_BLOCK));
        }
        if (!components.isEmpty()) {
            long sum = components.stream().mapToLong(Component::length).sum();
            if (offset != 0 || sum != totalLength) {
                throw new InvalidInputException(
                        "components of %d bytes on the chunk at offset %d do not describe a block of %d bytes"
                                .formatted(sum, offset, totalLength));
            }
        }
    }

    /** Whether this chunk is the whole block. */
    public boolean whole() {
        return length == totalLength;
    }
}
