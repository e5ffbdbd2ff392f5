package io.kvern.app.demo.engine;

import io.kvern.model.BlockId;
import io.kvern.model.Component;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A full block that leaves an engine's pool.
 *
 * @param id names its tokens and all before them
 * @param parentId the block before it, null for the first of a prompt
 * @param components its tensors in order, their lengths adding up to {@code length}
 * @param length bytes of the block, at the beginning of the slot
 * @param slot its memory, owned by the receiver, who releases it
 */
public record EvictedBlock(
        BlockId id, @Nullable BlockId parentId, List<Component> components, int length, BlockMemory.Slot slot) {
    /** The block's bytes: a view of the slot, position 0, limit {@code length}. */
    public ByteBuffer bytes() {
        return slot.buffer().slice(0, length);
    }
}
