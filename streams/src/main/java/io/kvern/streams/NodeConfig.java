package io.kvern.streams;

import io.kvern.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * How a store node is started.
 *
 * @param bootstrapServers of Kafka
 * @param applicationId the consumer group that shares the partitions among nodes ({@code node.group})
 * @param log the log to follow
 * @param lane the topics of the log lane
 * @param store the node's store
 * @param stateDir Kafka Streams' own directory, which holds no block; beside the store's, never inside it
 * @param standbyReplicas nodes beside the owner that hold each block ({@code node.standby.replicas})
 * @param streamThreads threads that apply records ({@code node.stream.threads})
 * @param commitInterval how often group offsets are committed; standbys follow about two of these behind
 *     ({@code node.commit.interval})
 * @param silence after so long without a word from Kafka the node no longer says that a block does not exist
 *     ({@code node.silence})
 * @param kafka further properties for all Kafka clients of the node, connection and security above all
 */
public record NodeConfig(
        String bootstrapServers,
        String applicationId,
        BlocksLog log,
        LoadTopics lane,
        StoreConfig store,
        Path stateDir,
        int standbyReplicas,
        int streamThreads,
        Duration commitInterval,
        Duration silence,
        Map<String, String> kafka) {
    public NodeConfig {
        kafka = Map.copyOf(kafka);
    }

    /** The defaults. */
    public static NodeConfig of(
            String bootstrapServers, BlocksLog log, LoadTopics lane, StoreConfig store, Path stateDir) {
        return new NodeConfig(
                bootstrapServers,
                "kvern-store",
                log,
                lane,
                store,
                stateDir,
                0,
                1,
                Duration.ofMillis(300),
                Duration.ofSeconds(5),
                Map.of());
    }
}
