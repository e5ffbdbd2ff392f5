package io.kvern.streams;

import io.kvern.model.InvalidInputException;
import io.kvern.protocol.BlockEvent;
import io.kvern.protocol.BlockEventCodec;
import io.kvern.protocol.InvalidEventException;
import io.kvern.store.PartitionHandle;
import org.jspecify.annotations.Nullable;

/**
 * Applies one record of the log to a partition. Live processing, restore and standby all come through here: the same code
 * on the same bytes.
 */
final class BlockApplier {
    private BlockApplier() {}

    /**
     * @throws InvalidEventException if the record can never be valid; its offset counts as applied
     * @throws io.kvern.store.StoreFailedException if the store failed, not the record
     */
    static void apply(
            AttachedPartition partition, byte @Nullable [] key, byte @Nullable [] value, long offset, long timestamp) {
        PartitionHandle handle = partition.handle();
        try {
            switch (BlockEventCodec.decode(key, value)) {
                case BlockEvent.Chunk chunk ->
                    handle.apply(chunk.key(), chunk.header(), chunk.payload(), offset, timestamp);
                case BlockEvent.Remove remove -> handle.remove(remove.key(), offset);
            }
            partition.advanced();
        } catch (InvalidEventException e) {
            skip(partition, offset);
            throw e;
        } catch (InvalidInputException e) {
            skip(partition, offset);
            throw new InvalidEventException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void skip(AttachedPartition partition, long offset) {
        partition.handle().skip(offset);
        partition.advanced();
    }
}
