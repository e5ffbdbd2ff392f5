package io.kvern.protocol;

import io.kvern.model.InvalidInputException;
import io.kvern.model.Slot;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The topics of one cluster: names under a prefix, and how they are created.
 *
 * @param prefix in front of every name, {@value #DEFAULT_PREFIX} by default; may be empty
 */
public record Topics(String prefix) {
    public static final String DEFAULT_PREFIX = "kvern.";

    public static final int DEFAULT_PARTITIONS = 8;

    /**
     * Payload of a chunk: two records with all their headers fill a producer batch of 1 MiB, the largest that a broker takes
     * unchanged.
     */
    public static final int CHUNK_PAYLOAD_BYTES = 508 << 10;

    /** Kafka's default of {@code max.message.bytes}: a batch of 1 MiB and 12 bytes. */
    public static final int MAX_MESSAGE_BYTES = (1 << 20) + 12;

    /** How long requests and replies are kept: a minute. */
    private static final long PASSING_MILLIS = 60_000;

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    private static final long MIB = 1 << 20;

    public Topics {
        checkName(prefix + "dead-letters");
    }

    public static Topics withDefaultPrefix() {
        return new Topics(DEFAULT_PREFIX);
    }

    /** Block key to {@code BlockChunk}, or null. */
    public String blocks() {
        return prefix + "blocks";
    }

    /** Pinned layout and namespaces; compacted. */
    public String control() {
        return prefix + "control";
    }

    /** Block key to {@code LoadRequest}; partitioned as the blocks. */
    public String loads() {
        return prefix + "loads";
    }

    /** Worker to {@code LoadedChunk} or {@code LoadStatus}; the worker names the partition. */
    public String replies() {
        return prefix + "replies";
    }

    /**
     * Whether the topic of this name passes things on and keeps nothing: deleted, it is made again, and nobody misses what it
     * held. All others are what stores are filled from.
     */
    public boolean passing(String name) {
        return name.equals(deadLetters()) || name.equals(loads()) || name.equals(replies());
    }

    /** Records that can never be valid, as they came. */
    public String deadLetters() {
        return prefix + "dead-letters";
    }

    /**
     * All topics that a cluster needs.
     *
     * @param partitions of the blocks topic, 1 to 16384
     * @param replication copies of every partition, at least 1
     * @param windowBytes how many bytes of blocks the log keeps over all partitions, for nodes that start cold; each copy costs
     *     as many bytes of broker disk
     */
    public List<TopicDefinition> definitions(int partitions, int replication, long windowBytes) {
        if (partitions < 1 || partitions > Slot.COUNT) {
            throw new InvalidInputException("topic %s would have %d partitions; 1 to %d are possible"
                    .formatted(blocks(), partitions, Slot.COUNT));
        }
        if (replication < 1 || replication > Short.MAX_VALUE) {
            throw new InvalidInputException("replication factor is %d; at least 1 is needed".formatted(replication));
        }
        long retention = windowBytes / partitions;
        if (retention < MIB) {
            throw new InvalidInputException(
                    "window of %d bytes over %d partitions leaves %d bytes each; at least %d are needed"
                            .formatted(windowBytes, partitions, retention, MIB));
        }
        return List.of(
                blocks(partitions, replication, retention),
                control(replication),
                deadLetters(replication),
                passing(loads(), partitions, replication, 16 * MIB, 64 * MIB),
                passing(replies(), partitions, replication, 64 * MIB, 512 * MIB));
    }

    private TopicDefinition blocks(int partitions, int replication, long retention) {
        // Kafka gives disk back by whole segments, so that they are small against what is kept.
        long segment = Math.clamp(retention / 16, 16 * MIB, 256 * MIB);
        return new TopicDefinition(
                blocks(),
                partitions,
                replication,
                Map.of(
                        "cleanup.policy",
                        "delete",
                        "retention.bytes",
                        Long.toString(retention),
                        "retention.ms",
                        "-1",
                        "segment.bytes",
                        Long.toString(segment),
                        "max.message.bytes",
                        Integer.toString(MAX_MESSAGE_BYTES),
                        // Log time is the broker's: the clocks of many engines would not run in one order, and a
                        // broker refuses records from a clock that is an hour ahead.
                        "message.timestamp.type",
                        "LogAppendTime",
                        "compression.type",
                        "producer",
                        "min.insync.replicas",
                        minInsync(replication)));
    }

    private TopicDefinition control(int replication) {
        return new TopicDefinition(
                control(),
                1,
                replication,
                Map.of("cleanup.policy", "compact", "min.insync.replicas", minInsync(replication)));
    }

    private TopicDefinition deadLetters(int replication) {
        return new TopicDefinition(
                deadLetters(),
                1,
                replication,
                Map.of(
                        "cleanup.policy", "delete",
                        "retention.bytes", Long.toString(256 * MIB),
                        "segment.bytes", Long.toString(32 * MIB),
                        // A record as large as the blocks topic takes, with the reason in headers beside it.
                        "max.message.bytes", Integer.toString(2 * MAX_MESSAGE_BYTES),
                        "min.insync.replicas", minInsync(replication)));
    }

    /** A topic between a worker that waits and a node that answers: what is older than a minute is of use to nobody. */
    private static TopicDefinition passing(
            String name, int partitions, int replication, long segmentBytes, long retentionBytes) {
        return new TopicDefinition(
                name,
                partitions,
                replication,
                Map.of(
                        "cleanup.policy",
                        "delete",
                        "retention.ms",
                        Long.toString(PASSING_MILLIS),
                        "retention.bytes",
                        Long.toString(retentionBytes),
                        "segment.bytes",
                        Long.toString(segmentBytes),
                        // Only whole segments go, and not the one that is written to.
                        "segment.ms",
                        Long.toString(PASSING_MILLIS),
                        "file.delete.delay.ms",
                        "1000",
                        "max.message.bytes",
                        Integer.toString(MAX_MESSAGE_BYTES),
                        "message.timestamp.type",
                        "LogAppendTime",
                        "compression.type",
                        "producer",
                        "min.insync.replicas",
                        "1"));
    }

    private static String minInsync(int replication) {
        return Integer.toString(Math.max(1, replication - 1));
    }

    static void checkName(String name) {
        if (!NAME.matcher(name).matches() || name.equals(".") || name.equals("..")) {
            throw new InvalidInputException(
                    "'%s' is no topic name: letters, digits, '.', '_' and '-' are allowed, 249 at most"
                            .formatted(name));
        }
    }
}
