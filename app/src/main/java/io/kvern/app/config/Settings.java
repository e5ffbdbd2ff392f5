package io.kvern.app.config;

import static io.kvern.app.config.Setting.bytes;
import static io.kvern.app.config.Setting.number;
import static io.kvern.app.config.Setting.share;
import static io.kvern.app.config.Setting.text;
import static io.kvern.app.config.Setting.time;

import io.kvern.model.Limits;
import java.time.Duration;
import java.util.List;

/** Every setting of Kvern. What is not here, or under {@link #KAFKA_PREFIX}, is an error in a file. */
public final class Settings {
    /** What follows this prefix goes to every Kafka client as it is: security, timeouts, buffers. */
    public static final String KAFKA_PREFIX = "kafka.";

    public static final Setting<String> BOOTSTRAP =
            text("bootstrap.servers", "", "Kafka brokers as HOST:PORT, separated by commas.");
    public static final Setting<String> DATA_DIR =
            text("data.dir", "kvern-data", "Directory of everything that this process keeps.");
    public static final Setting<String> LISTEN =
            text("listen", "127.0.0.1:6390", "HOST:PORT of the Redis-speaking door; port 0 takes any free one.");
    public static final Setting<Integer> BROKER_PORT =
            number("broker.port", 0, 0, 65535, "Port of the embedded broker; 0 takes any free one.");

    public static final Setting<String> TOPICS_PREFIX = text("topics.prefix", "kvern.", "What topic names begin with.");
    public static final Setting<Integer> PARTITIONS =
            number("topics.partitions", 8, 1, 1024, "Partitions of the blocks topic when it is made.");
    public static final Setting<Integer> REPLICATION =
            number("topics.replication", 1, 1, 16, "Copies of each topic in Kafka when it is made.");
    public static final Setting<Long> RETENTION = bytes(
            "topics.retention.bytes",
            "0",
            "What the blocks topic keeps for replay, over all partitions, per copy, when it is made; 0 takes the"
                    + " store's capacity, or 8GiB where no store is.");

    public static final Setting<Long> MAX_BLOCK =
            bytes("block.max.bytes", Integer.toString(Limits.DEFAULT_MAX_BLOCK_BYTES), "Larger blocks are refused.");
    public static final Setting<Long> CHUNK =
            bytes("chunk.payload.bytes", "508KiB", "Payload of one record; a larger block travels in several.");
    public static final Setting<Long> PUBLISH_BUDGET = bytes(
            "publish.budget.bytes", "256MiB", "Payload on its way to Kafka; beyond it blocks are dropped and counted.");
    public static final Setting<Duration> PUBLISH_WAIT = time(
            "publish.max.wait", "0ms", "How long a publisher waits for room in its budget before it drops a block.");
    public static final Setting<Duration> PUBLISH_TIMEOUT =
            time("publish.delivery.timeout", "30s", "A block that Kafka has not acknowledged by then has failed.");

    public static final Setting<String> GROUP = text("node.group", "kvern-store", "Consumer group of the store nodes.");
    public static final Setting<Integer> STANDBYS =
            number("node.standby.replicas", 0, 0, 8, "Nodes beside the owner that hold each block.");
    public static final Setting<Integer> THREADS =
            number("node.stream.threads", 1, 1, 64, "Threads of a node that apply records.");
    public static final Setting<Duration> COMMIT = time(
            "node.commit.interval", "300ms", "How often a node commits offsets; standbys follow two of these behind.");
    public static final Setting<Duration> SILENCE = time(
            "node.silence", "5s", "After so long without Kafka a node no longer says that a block does not exist.");

    public static final Setting<Long> CAPACITY =
            bytes("store.capacity.bytes", "0", "Hard cap of a store on disk; 0 takes store.capacity.share.");
    public static final Setting<Double> CAPACITY_SHARE =
            share("store.capacity.share", 0.8, "Share of the disk's free space and the store's own that it may fill.");
    public static final Setting<Long> MIN_FREE =
            bytes("store.min.free.bytes", "1GiB", "Free disk space that a store leaves to others.");
    public static final Setting<Long> SEGMENT =
            bytes("store.segment.bytes", "256MiB", "Size of a segment; also at most a sixteenth of the capacity.");
    public static final Setting<Long> SYNC_BYTES =
            bytes("store.sync.bytes", "256MiB", "A sync point is due after so much payload.");
    public static final Setting<Duration> SYNC_INTERVAL =
            time("store.sync.interval", "1s", "A sync point is due after so long, if anything came.");
    public static final Setting<Long> INDEX_CACHE = bytes(
            "store.index.cache.bytes", "64MiB", "Memory of the index: hot entries, cache, filters, write buffers.");

    public static final Setting<Duration> UNSURE_WAIT =
            time("door.unsure.wait", "1s", "How long a door waits for certainty before it answers TRYAGAIN.");
    public static final Setting<Duration> WRITE_TIMEOUT =
            time("door.write.timeout", "10s", "How long SET and DEL wait for Kafka and the store.");

    public static final Setting<Integer> DOOR_CONNECTIONS =
            number("door.max.connections", 1024, 1, 65536, "Clients of a door at once; further ones get an error.");
    public static final Setting<Long> DOOR_REQUEST = bytes(
            "door.request.max.bytes",
            "0",
            "Largest request with all its arguments; 0 takes block.max.bytes and 1 MiB.");
    public static final Setting<Long> DOOR_MEMORY =
            bytes("door.memory.bytes", "256MiB", "Direct memory of a door's requests and replies in flight.");
    public static final Setting<Duration> DOOR_IDLE =
            time("door.idle.timeout", "10m", "A client without traffic is cut off after so long; 0ms for never.");

    /** In the order in which they are explained. */
    public static final List<Setting<?>> ALL = List.of(
            BOOTSTRAP,
            DATA_DIR,
            LISTEN,
            BROKER_PORT,
            TOPICS_PREFIX,
            PARTITIONS,
            REPLICATION,
            RETENTION,
            MAX_BLOCK,
            CHUNK,
            PUBLISH_BUDGET,
            PUBLISH_WAIT,
            PUBLISH_TIMEOUT,
            GROUP,
            STANDBYS,
            THREADS,
            COMMIT,
            SILENCE,
            CAPACITY,
            CAPACITY_SHARE,
            MIN_FREE,
            SEGMENT,
            SYNC_BYTES,
            SYNC_INTERVAL,
            INDEX_CACHE,
            UNSURE_WAIT,
            WRITE_TIMEOUT,
            DOOR_CONNECTIONS,
            DOOR_REQUEST,
            DOOR_MEMORY,
            DOOR_IDLE);

    private Settings() {}
}
