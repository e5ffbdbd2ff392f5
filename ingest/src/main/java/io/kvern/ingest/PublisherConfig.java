package io.kvern.ingest;

import io.kvern.model.InvalidInputException;
import io.kvern.model.Limits;
import io.kvern.model.Slot;
import io.kvern.protocol.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * How blocks are published.
 *
 * @param bootstrapServers brokers to begin with, {@code host:port,...}
 * @param topic the blocks topic
 * @param partitions that this topic has, as pinned in the cluster layout; 1 to 16384
 * @param chunkPayloadBytes most payload of one record, 1 KiB to 64 MiB
 * @param maxBlockBytes largest block taken, 1 to 1 GiB
 * @param budgetBytes blocks in flight, from {@code publish} to their outcome, hold at most this much of the caller's memory;
 *     each counts {@value #OVERHEAD_BYTES} bytes beside its payload
 * @param maxWait how long {@code publish} may wait for the budget; zero drops the block at once
 * @param deliveryTimeout within which a block is acknowledged or has failed; 1 s to 10 min
 * @param clientProperties further settings of the Kafka producer, security included; they win, but may not weaken what
 *     "published" means
 */
public record PublisherConfig(
        String bootstrapServers,
        String topic,
        int partitions,
        int chunkPayloadBytes,
        int maxBlockBytes,
        long budgetBytes,
        Duration maxWait,
        Duration deliveryTimeout,
        Map<String, String> clientProperties) {

    /** What a block in flight costs beside its payload: bookkeeping, so that many tiny blocks are bounded too. */
    public static final int OVERHEAD_BYTES = 512;

    public static final long DEFAULT_BUDGET_BYTES = 256L << 20;

    public static final Duration DEFAULT_DELIVERY_TIMEOUT = Duration.ofSeconds(30);

    /** Size of a producer batch: two chunks of the default size with all their headers. */
    static final int BATCH_BYTES = 1 << 20;

    private static final int MIN_CHUNK_BYTES = 1 << 10;
    private static final int MAX_CHUNK_BYTES = 64 << 20;
    private static final int SOCKET_BUFFER_BYTES = 4 << 20;
    private static final long BUFFER_MEMORY_BYTES = 64L << 20;

    /** What must stay as it is for an acknowledged block to be one that survives, in order, in these very bytes. */
    private static final Set<String> FIXED = Set.of(
            "bootstrap.servers",
            "acks",
            "enable.idempotence",
            "transactional.id",
            "key.serializer",
            "value.serializer",
            "delivery.timeout.ms");

    /** @throws InvalidInputException naming the setting that is impossible */
    public PublisherConfig {
        clientProperties = Map.copyOf(clientProperties);
        if (bootstrapServers.isBlank()) {
            throw new InvalidInputException("bootstrap.servers is empty; host:port of a broker is needed");
        }
        require("partitions", partitions, 1, Slot.COUNT);
        require("chunk.payload.bytes", chunkPayloadBytes, MIN_CHUNK_BYTES, MAX_CHUNK_BYTES);
        require("block.max.bytes", maxBlockBytes, 1, Limits.MAX_BLOCK_BYTES);
        require("publish.budget.bytes", budgetBytes, maxBlockBytes + (long) OVERHEAD_BYTES, ByteBudget.MAX_BYTES);
        require(
                "publish.max.wait (ms)",
                maxWait.toMillis(),
                0,
                Duration.ofHours(1).toMillis());
        require(
                "publish.delivery.timeout (ms)",
                deliveryTimeout.toMillis(),
                1000,
                Duration.ofMinutes(10).toMillis());
        for (String name : clientProperties.keySet()) {
            if (FIXED.contains(name)) {
                throw new InvalidInputException("producer setting %s is '%s'; it may not be changed"
                        .formatted(name, clientProperties.get(name)));
            }
        }
    }

    /** With every default. */
    public static PublisherConfig of(String bootstrapServers, String topic, int partitions) {
        return new PublisherConfig(
                bootstrapServers,
                topic,
                partitions,
                Topics.CHUNK_PAYLOAD_BYTES,
                Limits.DEFAULT_MAX_BLOCK_BYTES,
                DEFAULT_BUDGET_BYTES,
                Duration.ZERO,
                DEFAULT_DELIVERY_TIMEOUT,
                Map.of());
    }

    /** The same, with chunks and blocks of at most these sizes. */
    public PublisherConfig withSizes(int newChunkPayloadBytes, int newMaxBlockBytes) {
        return new PublisherConfig(
                bootstrapServers,
                topic,
                partitions,
                newChunkPayloadBytes,
                newMaxBlockBytes,
                budgetBytes,
                maxWait,
                deliveryTimeout,
                clientProperties);
    }

    /** The same, with another budget, waited for at most {@code newMaxWait}. */
    public PublisherConfig withBudget(long newBudgetBytes, Duration newMaxWait) {
        return new PublisherConfig(
                bootstrapServers,
                topic,
                partitions,
                chunkPayloadBytes,
                maxBlockBytes,
                newBudgetBytes,
                newMaxWait,
                deliveryTimeout,
                clientProperties);
    }

    /** The same, with another delivery timeout. */
    public PublisherConfig withDeliveryTimeout(Duration newDeliveryTimeout) {
        return new PublisherConfig(
                bootstrapServers,
                topic,
                partitions,
                chunkPayloadBytes,
                maxBlockBytes,
                budgetBytes,
                maxWait,
                newDeliveryTimeout,
                clientProperties);
    }

    /** The same, with these further settings of the producer. */
    public PublisherConfig withClientProperties(Map<String, String> newClientProperties) {
        return new PublisherConfig(
                bootstrapServers,
                topic,
                partitions,
                chunkPayloadBytes,
                maxBlockBytes,
                budgetBytes,
                maxWait,
                deliveryTimeout,
                newClientProperties);
    }

    /** The settings that the Kafka producer runs with, the caller's included. */
    public Map<String, Object> producerSettings() {
        long delivery = deliveryTimeout.toMillis();
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrapServers);
        settings.put("acks", "all");
        settings.put("enable.idempotence", "true");
        settings.put("delivery.timeout.ms", Long.toString(delivery));
        settings.put("request.timeout.ms", Long.toString(Math.min(10_000, delivery / 2)));
        // send() runs on the publisher's own thread, which has to look up from it now and then.
        settings.put("max.block.ms", Long.toString(Math.min(1000, delivery / 4)));
        settings.put("linger.ms", "1");
        settings.put("batch.size", Integer.toString(BATCH_BYTES));
        settings.put("max.request.size", Integer.toString(Math.max(BATCH_BYTES, chunkPayloadBytes + (64 << 10))));
        settings.put("buffer.memory", Long.toString(BUFFER_MEMORY_BYTES));
        settings.put("compression.type", "none");
        settings.put("send.buffer.bytes", Integer.toString(SOCKET_BUFFER_BYTES));
        settings.put("receive.buffer.bytes", Integer.toString(SOCKET_BUFFER_BYTES));
        settings.putAll(clientProperties);
        return settings;
    }

    private static void require(String setting, long value, long least, long most) {
        if (value < least || value > most) {
            throw new InvalidInputException(
                    "setting %s is %d; %d to %d are possible".formatted(setting, value, least, most));
        }
    }
}
