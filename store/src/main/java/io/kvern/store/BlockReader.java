package io.kvern.store;

import io.kvern.model.BlockKey;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reading side. Any thread, any number at once. Only blocks of attached partitions are found. A block that is being
 * read outlives its eviction.
 */
public interface BlockReader {
    /** What is known of the block, or null where it is not stored here. Reads no payload. */
    @Nullable
    BlockInfo find(BlockKey key);

    /**
     * The same for many keys at once, which costs less than one after the other.
     *
     * @return as many answers in the same order
     */
    List<@Nullable BlockInfo> findAll(List<BlockKey> keys);

    /**
     * Reads the whole block into {@code destination} and verifies it there.
     *
     * @param destination the caller keeps it. Its position moves by the block's length only when the answer is
     *     {@link ReadResult.Loaded}; after any other answer the bytes between position and limit are undefined
     */
    ReadResult readInto(BlockKey key, ByteBuffer destination);

    /**
     * Opens the block for reading in pieces that are <em>not</em> verified: for a receiver that checks the CRC itself.
     *
     * @return a lease that keeps the bytes on disk until closed, or null where the block is not stored here
     */
    @Nullable
    BlockLease open(BlockKey key);

    /**
     * Reads the block again and drops it when its bytes are not those that were written.
     *
     * @return whether an intact block stands under the key now
     */
    boolean verify(BlockKey key);
}
