package io.kvern.worker.load;

import io.kvern.model.BlockId;
import java.nio.ByteBuffer;

/**
 * One block and where it shall go.
 *
 * @param id the block, in the loader's namespace
 * @param destination position to limit is the room; the caller keeps it, and leaves it alone while the load runs. Pinned or
 *     direct memory is filled without a copy in between; heap memory works. On {@link LoadStatus#LOADED} its position
 *     advances by the block's length; otherwise its position stays and the bytes of the room mean nothing
 */
public record LoadRequest(BlockId id, ByteBuffer destination) {}
