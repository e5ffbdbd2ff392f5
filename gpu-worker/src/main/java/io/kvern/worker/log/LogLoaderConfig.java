package io.kvern.worker.log;

import io.kvern.model.InvalidInputException;
import io.kvern.model.Namespace;
import io.kvern.model.Slot;
import io.kvern.protocol.ClusterLayout;
import io.kvern.protocol.LoadRequestEvent;
import io.kvern.protocol.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How a {@link LogLoader} reaches the store through Kafka.
 *
 * @param namespace whose blocks are loaded
 * @param worker who asks, 1 to 256 bytes of UTF-8; the key of each reply
 * @param bootstrapServers brokers to begin with, {@code host:port,...}
 * @param loads topic that requests go to
 * @param partitions that it has, as pinned in the cluster layout; 1 to 16384
 * @param replies topic that blocks come from
 * @param replyPartition its partition that this loader reads; loaders that share one read each other's replies too
 * @param retryPause before a block is asked for again of which its node was unsure; it doubles each time, up to 500 ms
 * @param silence without any reply after which requests are sent once more; it doubles each time
 * @param clientProperties further settings of both Kafka clients, security above all; they win
 */
public record LogLoaderConfig(
        Namespace namespace,
        String worker,
        String bootstrapServers,
        String loads,
        int partitions,
        String replies,
        int replyPartition,
        Duration retryPause,
        Duration silence,
        Map<String, String> clientProperties) {
    /** Bytes of one fetch, and so of replies in memory: one fetch being read, one on its way. */
    private static final int FETCH_BYTES = 16 << 20;

    private static final int SOCKET_BUFFER_BYTES = 4 << 20;

    /** @throws InvalidInputException naming what is impossible */
    public LogLoaderConfig {
        clientProperties = Map.copyOf(clientProperties);
        if (bootstrapServers.isBlank()) {
            throw new InvalidInputException("bootstrap.servers is empty; host:port of a broker is needed");
        }
        int name = worker.getBytes(StandardCharsets.UTF_8).length;
        within("worker's name in UTF-8 bytes", name, 1, LoadRequestEvent.MAX_WORKER_BYTES);
        within("number of partitions", partitions, 1, Slot.COUNT);
        within("replyPartition", replyPartition, 0, Integer.MAX_VALUE);
        within("retryPause in ms", retryPause.toMillis(), 1, 60_000);
        within("silence in ms", silence.toMillis(), 10, 600_000);
    }

    /**
     * The defaults, for a cluster of this layout: the reply partition follows from the worker's name, pause 20 ms, silence
     * 2 s.
     *
     * @throws InvalidInputException if the layout has no topics of the log lane: a node of this version pins them
     */
    public static LogLoaderConfig of(
            Namespace namespace, String worker, String bootstrapServers, Topics topics, ClusterLayout layout) {
        return new LogLoaderConfig(
                namespace,
                worker,
                bootstrapServers,
                topics.loads(),
                layout.topic(topics.loads()).partitions(),
                topics.replies(),
                Math.floorMod(worker.hashCode(), layout.topic(topics.replies()).partitions()),
                Duration.ofMillis(20),
                Duration.ofSeconds(2),
                Map.of());
    }

    /** The same, reading another partition of the replies. */
    public LogLoaderConfig withReplyPartition(int partition) {
        return new LogLoaderConfig(
                namespace,
                worker,
                bootstrapServers,
                loads,
                partitions,
                replies,
                partition,
                retryPause,
                silence,
                clientProperties);
    }

    /** The same, with further settings of both clients. */
    public LogLoaderConfig withClientProperties(Map<String, String> properties) {
        return new LogLoaderConfig(
                namespace,
                worker,
                bootstrapServers,
                loads,
                partitions,
                replies,
                replyPartition,
                retryPause,
                silence,
                properties);
    }

    Map<String, Object> producer() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrapServers);
        // A request that is lost is sent again; one that waits for copies is late.
        settings.put("acks", "1");
        settings.put("enable.idempotence", "false");
        settings.put("linger.ms", "0");
        settings.put("request.timeout.ms", "4000");
        settings.put("delivery.timeout.ms", "5000");
        settings.put("max.block.ms", "1000");
        settings.put("metadata.max.idle.ms", Long.toString(Duration.ofDays(1).toMillis()));
        settings.putAll(clientProperties);
        return settings;
    }

    Map<String, Object> consumer() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrapServers);
        settings.put("enable.auto.commit", "false");
        settings.put("allow.auto.create.topics", "false");
        // Where the log has lost its place: what is gone nobody waits for.
        settings.put("auto.offset.reset", "latest");
        settings.put("fetch.max.bytes", Integer.toString(FETCH_BYTES));
        settings.put("max.partition.fetch.bytes", Integer.toString(FETCH_BYTES));
        settings.put("receive.buffer.bytes", Integer.toString(SOCKET_BUFFER_BYTES));
        settings.putAll(clientProperties);
        return settings;
    }

    private static void within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new InvalidInputException(
                    "log loader's %s is %d; %d to %d are allowed".formatted(name, value, least, most));
        }
    }
}
