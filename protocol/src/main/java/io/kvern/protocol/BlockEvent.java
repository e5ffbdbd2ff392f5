package io.kvern.protocol;

import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import java.nio.ByteBuffer;

/** A record of {@code kvern.blocks}, decoded. */
public sealed interface BlockEvent {
    BlockKey key();

    /**
     * A piece of a block, or all of it.
     *
     * @param payload a slice of the record's own array, not a copy; {@code header.length()} bytes remain
     */
    record Chunk(BlockKey key, ChunkHeader header, ByteBuffer payload) implements BlockEvent {
        /** Without the payload's bytes: an event may stand in a log. */
        @Override
        public String toString() {
            return "Chunk[" + key + ", " + header + "]";
        }
    }

    /** The null value: the block is removed. */
    record Remove(BlockKey key) implements BlockEvent {}
}
