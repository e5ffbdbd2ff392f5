package io.kvern.app.demo.engine;

import io.kvern.model.BlockId;
import java.nio.ByteBuffer;
import java.util.List;

/** Where blocks go that an engine gives up, and where it looks before it computes. Called by the engine's thread only. */
public interface BlockTier {
    /**
     * Takes over a full block. The tier owns its slot until it releases it, on any thread; it may drop the block, but must
     * release. Neither blocks for I/O nor throws: the engine waits for a slot elsewhere, with a deadline.
     */
    void evicted(EvictedBlock block);

    /**
     * Fills as many leading blocks of a chain as there are.
     *
     * @param ids consecutive blocks of one prompt, at least one
     * @param destinations one per id, each with exactly the block's length remaining; the caller keeps them, and they may
     *     hold anything for blocks that were not loaded
     * @return how many leading blocks were loaded in full and verified, 0 to {@code ids.size()}. Nothing writes into any
     *     destination after this has returned. An absent tier, an error or a deadline is a 0, never an exception.
     */
    int load(List<BlockId> ids, List<ByteBuffer> destinations);

    /** A tier that keeps nothing. */
    static BlockTier none() {
        return new BlockTier() {
            @Override
            public void evicted(EvictedBlock block) {
                block.slot().release();
            }

            @Override
            public int load(List<BlockId> ids, List<ByteBuffer> destinations) {
                return 0;
            }
        };
    }
}
