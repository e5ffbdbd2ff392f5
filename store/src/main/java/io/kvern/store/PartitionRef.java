package io.kvern.store;

import io.kvern.model.InvalidInputException;
import io.kvern.model.Slot;
import java.util.UUID;

/**
 * Names a partition of a topic for ever: the topic's id, not its name, so that a topic made anew is another one.
 *
 * @param topicId Kafka's id of the topic
 * @param partition 0 to {@code partitions - 1}
 * @param partitions how many the topic has, 1 to 16384
 */
public record PartitionRef(UUID topicId, int partition, int partitions) {
    public PartitionRef {
        if (partitions < 1 || partitions > Slot.COUNT || partition < 0 || partition >= partitions) {
            throw new InvalidInputException("partition %d of %d is impossible; 1 to %d partitions are allowed"
                    .formatted(partition, partitions, Slot.COUNT));
        }
    }

    /** First slot of the partition: the smallest s with {@code s * partitions / 16384 == partition}. */
    public int firstSlot() {
        return (partition * Slot.COUNT + partitions - 1) / partitions;
    }

    /** Last slot of the partition. */
    public int lastSlot() {
        return ((partition + 1) * Slot.COUNT + partitions - 1) / partitions - 1;
    }
}
