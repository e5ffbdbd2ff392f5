package io.kvern.ingest;

import io.kvern.model.InvalidInputException;
import io.kvern.model.Limits;
import io.kvern.protocol.TopicDefinition;
import io.kvern.protocol.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which topics are administered, and what they have to carry.
 *
 * @param bootstrapServers brokers to begin with, {@code host:port,...}
 * @param topics their names
 * @param partitions of the blocks topic, where it is made here; 1 to 16384
 * @param replication of every topic, where it is made here; at least 1
 * @param windowBytes of blocks that the log is to keep for nodes that start cold; a store's capacity, usually
 * @param chunkPayloadBytes most payload of one record
 * @param maxBlockBytes largest block
 * @param timeout of each call in whole; 100 ms to 10 min
 * @param producer settings of the producer that publishes, to be checked
 * @param consumer settings of the consumers that fill stores, to be checked
 * @param clientProperties further settings of the clients used here, security above all
 */
public record AdminConfig(
        String bootstrapServers,
        Topics topics,
        int partitions,
        int replication,
        long windowBytes,
        int chunkPayloadBytes,
        int maxBlockBytes,
        Duration timeout,
        Map<String, Object> producer,
        Map<String, Object> consumer,
        Map<String, String> clientProperties) {

    public static final long DEFAULT_WINDOW_BYTES = 8L << 30;

    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(15);

    /** Client ids are unique in a JVM: Kafka's metrics are registered under them. */
    private static final AtomicInteger CLIENTS = new AtomicInteger();

    private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);

    /** @throws InvalidInputException naming the setting that is impossible */
    public AdminConfig {
        producer = Map.copyOf(producer);
        consumer = Map.copyOf(consumer);
        clientProperties = Map.copyOf(clientProperties);
        if (bootstrapServers.isBlank()) {
            throw new InvalidInputException("bootstrap.servers is empty; host:port of a broker is needed");
        }
        if (timeout.compareTo(MIN_TIMEOUT) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new InvalidInputException(
                    "admin timeout is %s; %s to %s are possible".formatted(timeout, MIN_TIMEOUT, MAX_TIMEOUT));
        }
        topics.definitions(partitions, replication, windowBytes); // refuses what cannot be
    }

    /** With every default, and the producer that {@link PublisherConfig#of} makes. */
    public static AdminConfig of(String bootstrapServers, Topics topics) {
        PublisherConfig publisher = PublisherConfig.of(bootstrapServers, topics.blocks(), Topics.DEFAULT_PARTITIONS);
        return new AdminConfig(
                bootstrapServers,
                topics,
                Topics.DEFAULT_PARTITIONS,
                1,
                DEFAULT_WINDOW_BYTES,
                Topics.CHUNK_PAYLOAD_BYTES,
                Limits.DEFAULT_MAX_BLOCK_BYTES,
                DEFAULT_TIMEOUT,
                publisher.producerSettings(),
                Map.of(),
                Map.of());
    }

    /** The same, with topics made of this shape. */
    public AdminConfig withTopics(int newPartitions, int newReplication, long newWindowBytes) {
        return new AdminConfig(
                bootstrapServers,
                topics,
                newPartitions,
                newReplication,
                newWindowBytes,
                chunkPayloadBytes,
                maxBlockBytes,
                timeout,
                producer,
                consumer,
                clientProperties);
    }

    /** The same, for chunks and blocks of these sizes. */
    public AdminConfig withSizes(int newChunkPayloadBytes, int newMaxBlockBytes) {
        return new AdminConfig(
                bootstrapServers,
                topics,
                partitions,
                replication,
                windowBytes,
                newChunkPayloadBytes,
                newMaxBlockBytes,
                timeout,
                producer,
                consumer,
                clientProperties);
    }

    /** The same, with each call ended after {@code newTimeout}. */
    public AdminConfig withTimeout(Duration newTimeout) {
        return new AdminConfig(
                bootstrapServers,
                topics,
                partitions,
                replication,
                windowBytes,
                chunkPayloadBytes,
                maxBlockBytes,
                newTimeout,
                producer,
                consumer,
                clientProperties);
    }

    /** The same, checking the clients that run with these settings. */
    public AdminConfig withClients(Map<String, Object> newProducer, Map<String, Object> newConsumer) {
        return new AdminConfig(
                bootstrapServers,
                topics,
                partitions,
                replication,
                windowBytes,
                chunkPayloadBytes,
                maxBlockBytes,
                timeout,
                newProducer,
                newConsumer,
                clientProperties);
    }

    /** The same, with further settings of the clients used here. */
    public AdminConfig withClientProperties(Map<String, String> newClientProperties) {
        return new AdminConfig(
                bootstrapServers,
                topics,
                partitions,
                replication,
                windowBytes,
                chunkPayloadBytes,
                maxBlockBytes,
                timeout,
                producer,
                consumer,
                newClientProperties);
    }

    List<TopicDefinition> definitions() {
        return topics.definitions(partitions, replication, windowBytes);
    }

    /** Settings of a Kafka client whose own waits end with {@code limit}. */
    Map<String, Object> client(Duration limit) {
        Map<String, Object> settings = new HashMap<>();
        String millis = Long.toString(Math.max(1, limit.toMillis()));
        settings.put("bootstrap.servers", bootstrapServers);
        settings.put("client.id", "kvern-admin-" + CLIENTS.incrementAndGet());
        settings.put("request.timeout.ms", millis);
        settings.put("default.api.timeout.ms", millis);
        settings.putAll(clientProperties);
        return settings;
    }
}
