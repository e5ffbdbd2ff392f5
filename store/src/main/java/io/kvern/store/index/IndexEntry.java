package io.kvern.store.index;

import io.kvern.store.segment.BlockLocation;

/** What is known of a key but not persisted yet. */
public sealed interface IndexEntry {
    /** The block lies there. */
    record Present(BlockLocation location) implements IndexEntry {}

    /**
     * There is no block.
     *
     * @param before blocks whose place in log order is below this are gone; written to the log so that a rebuild knows
     */
    record Removed(long before) implements IndexEntry {}

    /** The block's segment is being evicted, which the log tells as a whole. */
    record Evicted() implements IndexEntry {}
}
