package io.kvern.bench.site;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Settings;
import io.kvern.app.node.Directories;
import io.kvern.app.node.Wiring;
import io.kvern.bench.peer.Peer;
import io.kvern.bench.report.ProcessRow;
import io.kvern.ingest.BlockPublisher;
import io.kvern.model.CacheSpec;
import io.kvern.model.KvernException;
import io.kvern.model.Namespace;
import io.kvern.protocol.Topics;
import io.kvern.worker.log.LogLoader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/**
 * A broker, a store node and the peer that stands at the other end of each bare limit: three JVMs as an operator would start
 * them, over one directory. One thread.
 */
public final class Site implements AutoCloseable {
    /** An engine's namespace: blocks that can never be stale, as every engine writes them. */
    public static final Namespace NAMESPACE = Namespace.of(
            "bench",
            new CacheSpec.Engine("bf16", 32, 8, 128, 64, 1, "layer,kv,token,head,dim", "sha256", "0", "bench", "1"));

    public static final String BLOCKS_TOPIC = "kvern.blocks";

    /** The topic of the bare limits, made as the blocks topic is. */
    public static final String PLAIN_TOPIC = "bench.plain";

    private static final List<String> NODE_JVM =
            List.of("-Xms256m", "-Xmx512m", "-XX:MaxDirectMemorySize=512m", "-XX:+UseParallelGC");
    private static final List<String> BROKER_JVM =
            List.of("-Xms256m", "-Xmx1g", "-XX:MaxDirectMemorySize=256m", "-XX:+UseParallelGC");

    private final Path dir;
    private final long windowBytes;
    private final List<String> nodeOptions;
    private final ChildJvm broker;
    private final String bootstrap;
    private final Peer peer;
    private final Map<String, ProcessRow> ended = new LinkedHashMap<>();
    private double endedCpuSeconds;
    private long endedAllocatedBytes;
    private ChildJvm node;
    private InetSocketAddress door;

    private Site(Path dir, long windowBytes, List<String> nodeOptions) throws InterruptedException {
        this.dir = dir;
        this.windowBytes = windowBytes;
        this.nodeOptions = nodeOptions;
        this.broker = ChildJvm.start(
                "broker",
                BROKER_JVM,
                List.of(
                        "io.kvern.app.Main",
                        "broker",
                        "--data-dir",
                        dir.resolve("broker").toString(),
                        "--port",
                        "0"),
                Pattern.compile("is ready: kafka (\\S+),"),
                log());
        this.bootstrap = broker.greeting().group(1);
        this.node = startNode();
        this.door = doorOf(node);
        this.peer = Peer.start(NODE_JVM, bootstrap, log());
        makePlainTopic();
    }

    /**
     * Starts all three.
     *
     * @param dir for everything that they write
     * @param windowBytes what the log keeps; the store takes half as much again
     * @param nodeOptions further options of the node's JVM
     */
    public static Site start(Path dir, long windowBytes, List<String> nodeOptions) throws InterruptedException {
        return new Site(dir, windowBytes, nodeOptions);
    }

    private Path log() {
        return dir.resolve("processes.log");
    }

    private ChildJvm startNode() throws InterruptedException {
        List<String> main = new ArrayList<>(List.of(
                "io.kvern.app.Main",
                "store",
                "--bootstrap-servers",
                bootstrap,
                "--data-dir",
                nodeDir().toString(),
                "--listen",
                "127.0.0.1:0"));
        settings().forEach((key, value) -> main.addAll(List.of("--set", key + "=" + value)));
        List<String> options = new ArrayList<>(NODE_JVM);
        options.addAll(nodeOptions);
        return ChildJvm.start("store node", options, main, Pattern.compile("is ready: redis (\\S+):(\\d+),"), log());
    }

    private Map<String, String> settings() {
        return Map.of(
                Settings.CAPACITY.key(), Long.toString(windowBytes + windowBytes / 2),
                Settings.RETENTION.key(), Long.toString(windowBytes),
                Settings.MIN_FREE.key(), "64MiB");
    }

    private static InetSocketAddress doorOf(ChildJvm node) {
        return new InetSocketAddress(
                node.greeting().group(1), Integer.parseInt(node.greeting().group(2)));
    }

    private Path nodeDir() {
        return dir.resolve("node");
    }

    /** Where the node keeps its segments. */
    public Path segments() {
        return nodeDir().resolve("store").resolve("segments");
    }

    public String bootstrap() {
        return bootstrap;
    }

    /** The node's door. */
    public InetSocketAddress door() {
        return door;
    }

    public Peer peer() {
        return peer;
    }

    public Metered brokerMeter() {
        return broker.meter();
    }

    /** All nodes of this run, one after the other, as one. */
    public Metered nodeMeter() {
        return new Metered() {
            @Override
            public String role() {
                return "store node";
            }

            @Override
            public long pid() {
                return node.pid();
            }

            @Override
            public boolean isJvm() {
                return true;
            }

            @Override
            public double cpuSeconds() {
                return endedCpuSeconds + node.meter().cpuSeconds();
            }

            @Override
            public long allocatedBytes() {
                return endedAllocatedBytes + node.meter().allocatedBytes();
            }

            @Override
            public ProcessRow row(String during) {
                return node.meter().row(during);
            }
        };
    }

    private KvernConfig client() {
        return KvernConfig.resolve(
                null,
                Map.of(),
                Map.of(
                        Settings.BOOTSTRAP.key(), bootstrap,
                        Settings.PUBLISH_WAIT.key(), "60s",
                        Settings.PUBLISH_TIMEOUT.key(), "60s"));
    }

    /** A loader that reaches the node through the broker alone. */
    public LogLoader logLoader() {
        return new LogLoader(Wiring.logLoader(client(), NAMESPACE, "bench"));
    }

    /** A publisher that waits for room in its budget: the measured side of a lane drops nothing. */
    public BlockPublisher publisher() {
        return Wiring.publisher(client());
    }

    /** A line of the node's {@code INFO}, as a number. */
    public OptionalLong nodeSays(String name) {
        try (Jedis redis = new Jedis(
                new HostAndPort(door.getHostString(), door.getPort()),
                DefaultJedisClientConfig.builder().socketTimeoutMillis(10_000).build())) {
            return redis.info()
                    .lines()
                    .filter(line -> line.startsWith(name + ":"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(name.length() + 1).strip()))
                    .findFirst();
        }
    }

    /** Takes the node and all its files away, as a lost disk does, and starts it again: returns when it is current. */
    public void loseNode() throws InterruptedException, IOException {
        Metered meter = node.meter();
        keep(meter.row("all rows"));
        endedCpuSeconds += meter.cpuSeconds();
        endedAllocatedBytes += meter.allocatedBytes();
        node.close();
        // What it spent while it stopped is lost to the count: little, and nothing of it moved a block.
        Directories.delete(nodeDir());
        node = startNode();
        door = doorOf(node);
    }

    /** Lets the log begin where it ends now. */
    public void emptyLog() throws InterruptedException {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap))) {
            Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
            for (int i = 0; i < Topics.DEFAULT_PARTITIONS; i++) {
                // -1 is Kafka's word for "up to the high watermark".
                all.put(new TopicPartition(BLOCKS_TOPIC, i), RecordsToDelete.beforeOffset(-1));
            }
            admin.deleteRecords(all).all().get();
        } catch (ExecutionException e) {
            throw new KvernException("the records of %s could not be deleted".formatted(BLOCKS_TOPIC), e);
        }
    }

    private void makePlainTopic() throws InterruptedException {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap))) {
            ConfigResource blocks = new ConfigResource(ConfigResource.Type.TOPIC, BLOCKS_TOPIC);
            Config config = admin.describeConfigs(List.of(blocks)).all().get().get(blocks);
            Map<String, String> same = new LinkedHashMap<>();
            if (config != null) {
                config.entries().stream()
                        .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
                        .forEach(entry -> same.put(entry.name(), String.valueOf(entry.value())));
            }
            admin.createTopics(List.of(new NewTopic(PLAIN_TOPIC, Topics.DEFAULT_PARTITIONS, (short) 1).configs(same)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new KvernException("the topic %s could not be made".formatted(PLAIN_TOPIC), e);
        }
    }

    private void keep(ProcessRow row) {
        ended.merge(
                row.role(),
                row,
                (a, b) -> new ProcessRow(
                        a.role(),
                        "all rows",
                        a.heapLimitBytes(),
                        Math.max(a.peakHeapBytes(), b.peakHeapBytes()),
                        Math.max(a.peakRssBytes(), b.peakRssBytes()),
                        a.cpuSeconds() + b.cpuSeconds()));
    }

    /** How large each process has been; of several nodes one after the other, the largest. */
    public List<ProcessRow> processes() {
        keep(node.meter().row("all rows"));
        keep(broker.meter().row("all rows"));
        keep(peer.meter().row("all rows"));
        keep(OwnJvm.METER.row("all rows"));
        return List.copyOf(ended.values());
    }

    /** What the processes wrote, for whoever looks for a reason. */
    public String said() {
        try {
            return Files.readString(log());
        } catch (IOException e) {
            return "";
        }
    }

    /** The peer's time is short and the node's log needs the broker: in this order. */
    @Override
    public void close() {
        peer.close();
        node.close();
        broker.close();
    }
}
