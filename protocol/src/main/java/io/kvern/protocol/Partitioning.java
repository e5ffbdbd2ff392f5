package io.kvern.protocol;

import io.kvern.model.Slot;

/** Which partition of {@code kvern.blocks} a slot belongs to: a partition is a contiguous range of slots. */
public final class Partitioning {
    private Partitioning() {}

    /**
     * @param slot 0 to 16383
     * @param partitions of the topic, 1 to 16384
     */
    public static int partitionOf(int slot, int partitions) {
        return slot * partitions / Slot.COUNT;
    }
}
