package io.kvern.streams;

import io.kvern.model.BlockKey;
import io.kvern.protocol.Partitioning;
import io.kvern.store.PartitionRef;
import java.util.UUID;

/**
 * The log that a node follows, as pinned in the cluster's layout.
 *
 * @param topic name of the blocks topic
 * @param topicId Kafka's id of it: a topic made anew under the same name is another log
 * @param partitions how many it has
 * @param deadLetters name of the topic for records that can never be valid
 */
public record BlocksLog(String topic, UUID topicId, int partitions, String deadLetters) {
    PartitionRef partition(int partition) {
        return new PartitionRef(topicId, partition, partitions);
    }

    int partitionOf(BlockKey key) {
        return Partitioning.partitionOf(key.slot(), partitions);
    }
}
