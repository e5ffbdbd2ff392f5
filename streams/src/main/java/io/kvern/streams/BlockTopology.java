package io.kvern.streams;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The topology. The blocks topic is source and changelog of the block store at once, so a block is written to Kafka once; the
 * requests of the log lane are a second source of the same tasks.
 *
 * <pre>
 * blocks ─▶ block-writer ─▶ block store
 *                               │
 * loads  ─▶ load-answerer ◀─────┘
 *               └──────────▶ replies
 * </pre>
 */
final class BlockTopology {
    /** The smallest timestamp is taken first: a request never waits behind a backlog of blocks. */
    private static final TimestampExtractor FIRST = (event, partitionTime) -> 0;

    /** Where the topic has lost the partition meanwhile, the reply goes nowhere. */
    @SuppressWarnings("removal") // the one method that has to be written
    private static final StreamPartitioner<byte[], Reply> AS_ASKED = (topic, worker, reply, partitions) ->
            Optional.of(reply.partition() < partitions ? Set.of(reply.partition()) : Set.of());

    private BlockTopology() {}

    static Topology build(
            BlocksLog log,
            LoadTopics lane,
            LoadAnswerer answerer,
            LoadCounters counters,
            AttachedPartitions partitions,
            RestoreProgress progress,
            AtomicLong skippedInRestore) {
        Topology topology = new Topology();
        topology.addReadOnlyStateStore(
                new BlockStateStoreBuilder(partitions, progress, skippedInRestore),
                "blocks-source",
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                log.topic(),
                "block-writer",
                BlockProcessor::new);
        topology.addSource(
                AutoOffsetReset.latest(),
                "loads-source",
                FIRST,
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                lane.loads());
        topology.addProcessor(
                "load-answerer", () -> new LoadProcessor(answerer, lane.replyPartitions(), counters), "loads-source");
        // One task has both: the partition that is asked about is the one that the store holds.
        topology.connectProcessorAndStateStores("load-answerer", BlockStateStore.NAME);
        Serializer<Reply> event = (topic, reply) -> reply.event();
        topology.addSink("replies", lane.replies(), new ByteArraySerializer(), event, AS_ASKED, "load-answerer");
        return topology;
    }
}
