package io.kvern.streams;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.Topology;

/** The topology: the blocks topic is source and changelog of the block store at once, so a block is written to Kafka once. */
final class BlockTopology {
    private BlockTopology() {}

    static Topology build(
            BlocksLog log, AttachedPartitions partitions, RestoreProgress progress, AtomicLong skippedInRestore) {
        Topology topology = new Topology();
        topology.addReadOnlyStateStore(
                new BlockStateStoreBuilder(partitions, progress, skippedInRestore),
                "blocks-source",
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                log.topic(),
                "block-writer",
                BlockProcessor::new);
        return topology;
    }
}
