package io.kvern.store.segment;

import io.kvern.model.Component;
import io.kvern.model.WriteMode;
import java.util.List;

/**
 * Where a block's bytes lie, and what must be known to serve and to replace it.
 *
 * @param segment id of the segment
 * @param place where in the segment's data the bytes begin
 * @param length in bytes, 1 or more
 * @param crc CRC-32C of the bytes
 * @param mode how the block was written
 * @param epoch generation of its namespace
 * @param logOffset Kafka offset of its first chunk
 * @param components its tensors in order, empty for no table
 */
public record BlockLocation(
        long segment,
        long place,
        int length,
        int crc,
        WriteMode mode,
        long epoch,
        long logOffset,
        List<Component> components) {
    public BlockLocation {
        components = List.copyOf(components);
    }

    /** The same block at another place. */
    public BlockLocation movedTo(long newSegment, long newPlace) {
        return new BlockLocation(newSegment, newPlace, length, crc, mode, epoch, logOffset, components);
    }

    /** Whether both name the same bytes on disk. */
    public boolean samePlace(BlockLocation other) {
        return segment == other.segment && place == other.place;
    }
}
