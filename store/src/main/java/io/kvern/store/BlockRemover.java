package io.kvern.store;

import io.kvern.model.BlockKey;

/** The removing side of one partition; the same thread as its {@link BlockWriter}. */
public interface BlockRemover {
    /**
     * Removes the block, and cancels its open partials that began earlier in the log.
     *
     * @return whether a block stood there
     * @throws StoreFailedException as {@link BlockWriter#apply}
     */
    boolean remove(BlockKey key, long logOffset);
}
