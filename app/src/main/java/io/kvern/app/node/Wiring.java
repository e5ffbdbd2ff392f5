package io.kvern.app.node;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Settings;
import io.kvern.ingest.AdminConfig;
import io.kvern.ingest.BlockPublisher;
import io.kvern.ingest.PublisherConfig;
import io.kvern.ingest.TopicAdmin;
import io.kvern.model.InvalidInputException;
import io.kvern.model.Limits;
import io.kvern.model.Namespace;
import io.kvern.protocol.ClusterLayout;
import io.kvern.protocol.ClusterLayout.PinnedTopic;
import io.kvern.protocol.Topics;
import io.kvern.resp.server.RespServerConfig;
import io.kvern.store.StoreConfig;
import io.kvern.streams.BlocksLog;
import io.kvern.streams.LoadTopics;
import io.kvern.streams.NodeConfig;
import io.kvern.streams.StoreNode;
import io.kvern.streams.doors.DoorConfig;
import io.kvern.worker.log.LogLoaderConfig;
import java.nio.file.Path;

/** From the one configuration to what each module wants to know. */
public final class Wiring {
    private Wiring() {}

    /**
     * A publisher to the cluster's log. The caller closes it.
     *
     * @throws io.kvern.ingest.KafkaUnavailableException if no broker answers
     * @throws io.kvern.ingest.AdminException if the cluster has no layout yet, or its topics are not those pinned
     */
    public static BlockPublisher publisher(KvernConfig config) {
        try (TopicAdmin admin = TopicAdmin.open(admin(config, AdminConfig.DEFAULT_WINDOW_BYTES))) {
            return publisher(config, admin.layout());
        }
    }

    static BlockPublisher publisher(KvernConfig config, ClusterLayout layout) {
        String blocks = topics(config).blocks();
        return new BlockPublisher(publisherConfig(config, layout.topic(blocks).partitions()));
    }

    /**
     * For a loader that reaches the nodes through Kafka alone.
     *
     * @param worker its name, from which its partition of the replies follows
     * @throws io.kvern.ingest.KafkaUnavailableException if no broker answers
     * @throws io.kvern.ingest.AdminException if the cluster has no layout yet, or its topics are not those pinned
     */
    public static LogLoaderConfig logLoader(KvernConfig config, Namespace namespace, String worker) {
        try (TopicAdmin admin = TopicAdmin.open(admin(config, AdminConfig.DEFAULT_WINDOW_BYTES))) {
            return LogLoaderConfig.of(namespace, worker, bootstrap(config), topics(config), admin.layout())
                    .withClientProperties(config.kafka());
        }
    }

    static Topics topics(KvernConfig config) {
        return new Topics(config.get(Settings.TOPICS_PREFIX));
    }

    /** Where the brokers are; every command that needs them says the same where it was not told. */
    static String bootstrap(KvernConfig config) {
        String servers = config.get(Settings.BOOTSTRAP);
        if (servers.isBlank()) {
            throw new InvalidInputException("%s is not set; HOST:PORT of a Kafka broker is needed (--bootstrap-servers)"
                    .formatted(Settings.BOOTSTRAP.key()));
        }
        return servers;
    }

    static AdminConfig admin(KvernConfig config, long retentionBytes) {
        Topics topics = topics(config);
        PublisherConfig publisher = publisherConfig(config, config.get(Settings.PARTITIONS));
        return new AdminConfig(
                bootstrap(config),
                topics,
                config.get(Settings.PARTITIONS),
                config.get(Settings.REPLICATION),
                retentionBytes,
                publisher.chunkPayloadBytes(),
                publisher.maxBlockBytes(),
                AdminConfig.DEFAULT_TIMEOUT,
                publisher.producerSettings(),
                StoreNode.consumerSettings(config.kafka()),
                config.kafka());
    }

    private static PublisherConfig publisherConfig(KvernConfig config, int partitions) {
        return new PublisherConfig(
                bootstrap(config),
                topics(config).blocks(),
                partitions,
                size(config.get(Settings.CHUNK), Settings.CHUNK.key()),
                maxBlock(config),
                config.get(Settings.PUBLISH_BUDGET),
                config.get(Settings.PUBLISH_WAIT),
                config.get(Settings.PUBLISH_TIMEOUT),
                config.kafka());
    }

    static StoreConfig store(KvernConfig config, Path directory, long capacityBytes) {
        return new StoreConfig(
                directory,
                capacityBytes,
                config.get(Settings.CAPACITY_SHARE),
                config.get(Settings.MIN_FREE),
                config.get(Settings.SEGMENT),
                maxBlock(config),
                config.get(Settings.SYNC_BYTES),
                config.get(Settings.SYNC_INTERVAL),
                config.get(Settings.INDEX_CACHE));
    }

    static NodeConfig node(KvernConfig config, ClusterLayout layout, StoreConfig store, Path stateDir) {
        Topics topics = topics(config);
        PinnedTopic blocks = layout.topic(topics.blocks());
        return new NodeConfig(
                bootstrap(config),
                config.get(Settings.GROUP),
                new BlocksLog(topics.blocks(), blocks.topicId(), blocks.partitions(), topics.deadLetters()),
                new LoadTopics(
                        topics.loads(),
                        topics.replies(),
                        layout.topic(topics.replies()).partitions()),
                store,
                stateDir,
                config.get(Settings.STANDBYS),
                config.get(Settings.THREADS),
                config.get(Settings.COMMIT),
                config.get(Settings.SILENCE),
                config.kafka());
    }

    static DoorConfig door(KvernConfig config) {
        HostPort listen = HostPort.parse(config.get(Settings.LISTEN), Settings.LISTEN.key());
        RespServerConfig defaults = RespServerConfig.at(listen.host(), listen.port());
        int maxBlock = maxBlock(config);
        long request = config.get(Settings.DOOR_REQUEST);
        RespServerConfig server = new RespServerConfig(
                defaults.settings(),
                defaults.host(),
                defaults.port(),
                defaults.ioThreads(),
                config.get(Settings.DOOR_CONNECTIONS),
                request == 0 ? maxBlock + (1 << 20) : size(request, Settings.DOOR_REQUEST.key()),
                defaults.maxArguments(),
                defaults.maxPipelinedBytes(),
                defaults.maxPipelinedCommands(),
                config.get(Settings.DOOR_MEMORY),
                defaults.memoryWait(),
                config.get(Settings.DOOR_IDLE),
                defaults.requestTimeout(),
                defaults.replyTimeout());
        return new DoorConfig(server, maxBlock, config.get(Settings.UNSURE_WAIT), config.get(Settings.WRITE_TIMEOUT));
    }

    private static int maxBlock(KvernConfig config) {
        long bytes = config.get(Settings.MAX_BLOCK);
        if (bytes < 1 || bytes > Limits.MAX_BLOCK_BYTES) {
            throw new InvalidInputException(
                    "%s is %d; 1 to %d are allowed".formatted(Settings.MAX_BLOCK.key(), bytes, Limits.MAX_BLOCK_BYTES));
        }
        return (int) bytes;
    }

    private static int size(long bytes, String setting) {
        if (bytes > Integer.MAX_VALUE) {
            throw InvalidInputException.overLimit(setting, bytes, Integer.MAX_VALUE, setting);
        }
        return (int) bytes;
    }
}
