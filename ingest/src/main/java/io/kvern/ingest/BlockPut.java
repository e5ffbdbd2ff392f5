package io.kvern.ingest;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.Component;
import io.kvern.model.Namespace;
import io.kvern.model.WriteMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a caller says of a block that it publishes.
 *
 * @param epoch generation of the namespace when the engine handed the block over; 0 where it was never cleared
 * @param components tensors in order, their lengths adding up to the block's; empty for none
 * @param parentId the block before this one in its chain, where known
 * @param expiresAtMillis wall clock after which the block may go, 0 for never
 */
public record BlockPut(
        BlockKey key,
        WriteMode mode,
        long epoch,
        List<Component> components,
        @Nullable BlockId parentId,
        long expiresAtMillis) {
    public BlockPut {
        components = List.copyOf(components);
    }

    /** The plain case: a block of a namespace, written in the way that its spec asks for. */
    public static BlockPut of(Namespace namespace, BlockId id) {
        return new BlockPut(namespace.key(id), namespace.writeMode(), 0, List.of(), null, 0);
    }
}
