package io.kvern.ingest;

import static io.kvern.ingest.Finding.Severity.ERROR;
import static io.kvern.ingest.Finding.Severity.WARN;

import io.kvern.model.BlockKey;
import io.kvern.protocol.BlockEventCodec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds the settings of topics, brokers, producer and consumers against the sizes that have to pass through them, so that a
 * mismatch is named at start and not by the first large block. Pure: it asks nobody.
 */
final class SettingsCheck {
    /** A record batch's header, and the most that a record adds to its key and value: Kafka's message format 2. */
    static final int BATCH_HEADER_BYTES = 61;

    static final int RECORD_OVERHEAD_BYTES = 21;

    /** What a produce request says beside its batches: client, topic, partitions. */
    private static final int REQUEST_OVERHEAD_BYTES = 4096;

    /** Headers that say why a record is a dead letter, a stack trace among them. */
    private static final int DEAD_LETTER_OVERHEAD_BYTES = 64 << 10;

    private final AdminConfig config;
    private final long recordBytes;
    private final long batchBytes;
    private final List<Finding> findings = new ArrayList<>();

    private SettingsCheck(AdminConfig config) {
        this.config = config;
        this.recordBytes = largestRecord(config.chunkPayloadBytes());
        this.batchBytes = Math.max(recordBytes, producer("batch.size", 16384));
    }

    /** Bytes of a batch that holds one chunk of full size with the longest key and header. */
    static long largestRecord(int chunkPayloadBytes) {
        return BATCH_HEADER_BYTES
                + RECORD_OVERHEAD_BYTES
                + BlockKey.MAX_BYTES
                + BlockEventCodec.MAX_HEADER_BYTES
                + (long) chunkPayloadBytes;
    }

    /** @param topics by name; those that do not exist are absent */
    static List<Finding> run(AdminConfig config, Map<String, TopicFacts> topics, List<BrokerFacts> brokers) {
        SettingsCheck check = new SettingsCheck(config);
        TopicFacts blocks = check.present(topics, config.topics().blocks());
        TopicFacts control = check.present(topics, config.topics().control());
        TopicFacts deadLetters = check.present(topics, config.topics().deadLetters());
        check.producer();
        check.consumer();
        if (blocks != null) {
            check.blocks(blocks);
            check.window(blocks, brokers);
            for (BrokerFacts broker : brokers) {
                check.broker(broker, blocks.replication());
            }
        }
        if (control != null) {
            check.control(control);
        }
        if (deadLetters != null) {
            check.deadLetters(deadLetters);
        }
        LaneCheck.run(check, config.topics(), topics);
        check.findings.sort(Comparator.comparing(Finding::severity));
        return check.findings;
    }

    @Nullable
    TopicFacts present(Map<String, TopicFacts> topics, String name) {
        TopicFacts topic = topics.get(name);
        if (topic == null) {
            error("topic " + name, "existence", "absent", "'kvern topics create' makes it");
        }
        return topic;
    }

    private void producer() {
        long maxRequest = producer("max.request.size", 1 << 20);
        long buffer = producer("buffer.memory", 32 << 20);
        long batch = producer("batch.size", 16384);
        String chunk = "for a chunk of %d bytes with its headers".formatted(config.chunkPayloadBytes());
        if (maxRequest < recordBytes) {
            error(
                    "producer",
                    "max.request.size",
                    maxRequest,
                    "at least %d are needed %s".formatted(recordBytes, chunk));
        }
        if (buffer < batchBytes) {
            error("producer", "buffer.memory", buffer, "at least %d are needed for one batch".formatted(batchBytes));
        } else if (buffer < 4 * batchBytes) {
            warn(
                    "producer",
                    "buffer.memory",
                    buffer,
                    "with less than %d batches wait for one another".formatted(4 * batchBytes));
        }
        if (batch < recordBytes) {
            warn(
                    "producer",
                    "batch.size",
                    batch,
                    "with less than %d every chunk takes a fresh buffer instead of a pooled one"
                            .formatted(recordBytes));
        }
        String compression = String.valueOf(config.producer().getOrDefault("compression.type", "none"));
        if (!compression.equals("none")) {
            warn(
                    "producer",
                    "compression.type",
                    compression,
                    "floating-point KV data hardly shrinks; 'none' is faster");
        }
    }

    private void consumer() {
        long fetch = consumer("fetch.max.bytes", 50 << 20);
        long partition = consumer("max.partition.fetch.bytes", 1 << 20);
        if (fetch < batchBytes) {
            warn("consumer", "fetch.max.bytes", fetch, slowFetch());
        }
        if (partition < batchBytes) {
            warn("consumer", "max.partition.fetch.bytes", partition, slowFetch());
        }
    }

    private String slowFetch() {
        return "with less than %d each fetch brings one batch of one partition".formatted(batchBytes);
    }

    private void blocks(TopicFacts topic) {
        String where = "topic " + topic.name();
        // Where the topic has no value of its own the broker's setting of another name is in effect.
        TopicFacts.Setting limit = topic.setting("max.message.bytes");
        String limitName = limit != null && !limit.ownOfTopic()
                ? "max.message.bytes (broker's message.max.bytes)"
                : "max.message.bytes";
        long maxMessage = topic.number("max.message.bytes", (1 << 20) + 12);
        if (maxMessage < recordBytes) {
            error(
                    where,
                    limitName,
                    maxMessage,
                    "at least %d are needed for a chunk of %d bytes with its headers (or a smaller chunk.payload.bytes and batch.size)"
                            .formatted(recordBytes, config.chunkPayloadBytes()));
        } else if (maxMessage < batchBytes) {
            error(
                    where,
                    limitName,
                    maxMessage,
                    "at least %d are needed, the producer's batch.size: it sends a batch that is refused again and again"
                            .formatted(batchBytes));
        }
        long segment = topic.number("segment.bytes", 1 << 30);
        if (segment < batchBytes) {
            error(where, "segment.bytes", segment, "at least %d are needed for one batch".formatted(batchBytes));
        }
        if (!topic.text("cleanup.policy").equals("delete")) {
            error(
                    where,
                    "cleanup.policy",
                    topic.text("cleanup.policy"),
                    "'delete' is needed: chunks of a block share its key, and compaction would keep only the last");
        }
        if (!topic.text("message.timestamp.type").equals("LogAppendTime")) {
            warn(
                    where,
                    "message.timestamp.type",
                    topic.text("message.timestamp.type"),
                    "with 'LogAppendTime' the age of blocks does not hang on the clocks of their producers");
        }
        String compression = topic.text("compression.type");
        if (!compression.equals("producer") && !compression.equals("uncompressed")) {
            warn(where, "compression.type", compression, "with 'producer' the broker does not compress KV data again");
        }
        if (topic.partitions() != config.partitions()) {
            warn(
                    where,
                    "partitions",
                    topic.partitions(),
                    "%d are configured; the topic keeps those that it was made with".formatted(config.partitions()));
        }
        replication(topic);
    }

    private void window(TopicFacts topic, List<BrokerFacts> brokers) {
        String where = "topic " + topic.name();
        long retention = topic.number("retention.bytes", -1);
        if (retention < 0) {
            warn(
                    where,
                    "retention.bytes",
                    retention,
                    "without a limit the log grows until the brokers' disks are full");
        } else {
            // A block of the largest size and its successor's first chunk have to stand there at once.
            long least = 2L * config.maxBlockBytes();
            if (retention < config.maxBlockBytes()) {
                error(
                        where,
                        "retention.bytes",
                        retention,
                        "a block of %d bytes (block.max.bytes) may be deleted before its last chunk is written; at least %d are needed"
                                .formatted(config.maxBlockBytes(), least));
            } else if (retention < config.windowBytes() / topic.partitions()) {
                warn(
                        where,
                        "retention.bytes",
                        retention,
                        "a node that starts cold gets back %s of %s asked for"
                                .formatted(
                                        Bytes.text(retention * topic.partitions()), Bytes.text(config.windowBytes())));
            }
            diskFor(retention, topic, brokers);
        }
        long retentionMs = topic.number("retention.ms", -1);
        if (retentionMs >= 0) {
            warn(
                    where,
                    "retention.ms",
                    retentionMs,
                    "with -1 blocks go by bytes only, and a quiet cluster keeps its cache");
        }
    }

    private void diskFor(long retention, TopicFacts topic, List<BrokerFacts> brokers) {
        for (BrokerFacts broker : brokers) {
            long needed = retention * topic.replicasByBroker().getOrDefault(broker.id(), 0);
            if (broker.freeBytes().isPresent()
                    && needed - broker.blocksBytes() > broker.freeBytes().getAsLong()) {
                warn(
                        "broker " + broker.id(),
                        "log.dirs",
                        Bytes.text(broker.freeBytes().getAsLong()) + " free",
                        "the blocks kept there may take %s more (retention.bytes x replicas)"
                                .formatted(Bytes.text(needed - broker.blocksBytes())));
            }
        }
    }

    private void control(TopicFacts topic) {
        String where = "topic " + topic.name();
        if (!topic.text("cleanup.policy").equals("compact")) {
            error(
                    where,
                    "cleanup.policy",
                    topic.text("cleanup.policy"),
                    "'compact' is needed: with any other the pinned cluster layout is deleted some day");
        }
        if (topic.partitions() != 1) {
            error(where, "partitions", topic.partitions(), "1 is needed: it is read as one sequence");
        }
        replication(topic);
    }

    private void deadLetters(TopicFacts topic) {
        long needed = recordBytes + DEAD_LETTER_OVERHEAD_BYTES;
        long maxMessage = topic.number("max.message.bytes", needed);
        if (maxMessage < needed) {
            error(
                    "topic " + topic.name(),
                    "max.message.bytes",
                    maxMessage,
                    "at least %d are needed for an invalid record and the reason; a dead letter that does not fit stops its partition"
                            .formatted(needed));
        }
        replication(topic);
    }

    void replication(TopicFacts topic) {
        String where = "topic " + topic.name();
        long minInsync = topic.number("min.insync.replicas", 1);
        if (minInsync > topic.replication()) {
            error(
                    where,
                    "min.insync.replicas",
                    minInsync,
                    "at most %d, the replication factor: nothing can be acknowledged".formatted(topic.replication()));
        } else if (topic.replication() > 1 && minInsync == topic.replication()) {
            warn(
                    where,
                    "min.insync.replicas",
                    minInsync,
                    "with less than the replication factor one broker may stop without stopping the writers");
        }
    }

    private void broker(BrokerFacts broker, int replication) {
        String where = "broker " + broker.id();
        long request = Math.max(producer("max.request.size", 1 << 20), batchBytes) + REQUEST_OVERHEAD_BYTES;
        long socket = broker.number("socket.request.max.bytes", 100 << 20);
        if (socket < request) {
            error(
                    where,
                    "socket.request.max.bytes",
                    socket,
                    "at least %d are needed for a request of the producer (max.request.size); the broker cuts the connection of a larger one"
                            .formatted(request));
        }
        for (String name : List.of("replica.fetch.max.bytes", "replica.fetch.response.max.bytes")) {
            long fetch = broker.number(name, batchBytes);
            if (replication > 1 && fetch < batchBytes) {
                warn(
                        where,
                        name,
                        fetch,
                        "with less than %d followers fetch batch by batch and fall behind".formatted(batchBytes));
            }
        }
    }

    private long producer(String name, long kafkasDefault) {
        return number("producer", config.producer(), name, kafkasDefault);
    }

    private long consumer(String name, long kafkasDefault) {
        return number("consumer", config.consumer(), name, kafkasDefault);
    }

    private long number(String where, Map<String, Object> settings, String name, long kafkasDefault) {
        Object value = settings.get(name);
        if (value == null) {
            return kafkasDefault;
        }
        try {
            return Long.parseLong(String.valueOf(value));
        } catch (NumberFormatException e) {
            error(where, name, value, "a number is needed");
            return kafkasDefault;
        }
    }

    void error(String where, String setting, Object value, String needed) {
        add(new Finding(ERROR, where, setting, String.valueOf(value), needed));
    }

    void warn(String where, String setting, Object value, String needed) {
        add(new Finding(WARN, where, setting, String.valueOf(value), needed));
    }

    private void add(Finding finding) {
        if (!findings.contains(finding)) {
            findings.add(finding);
        }
    }
}
