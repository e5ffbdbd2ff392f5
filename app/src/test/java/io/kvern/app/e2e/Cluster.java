package io.kvern.app.e2e;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Settings;
import io.kvern.app.node.NodeRuntime;
import io.kvern.app.node.Wiring;
import io.kvern.broker.BrokerConfig;
import io.kvern.broker.EmbeddedBroker;
import io.kvern.ingest.BlockPublisher;
import io.kvern.model.Namespace;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.LoaderConfig;
import io.kvern.worker.log.LogLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** A real broker in this JVM, and what a test starts beside it. */
final class Cluster implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Path dir;
    private final Map<String, String> settings;
    private final BrokerConfig brokerConfig;
    private EmbeddedBroker broker;
    private final int port;

    /** On a directory of the test's own; {@code settings} go to every node and publisher. */
    Cluster(Path dir, Map<String, String> settings) {
        this(dir, settings, Map.of());
    }

    Cluster(Path dir, Map<String, String> settings, Map<String, String> brokerSettings) {
        this.dir = dir;
        this.settings = new HashMap<>(settings);
        this.brokerConfig = BrokerConfig.of(dir.resolve("broker")).with(brokerSettings);
        this.broker = EmbeddedBroker.start(brokerConfig);
        this.port = broker.port();
    }

    String bootstrap() {
        return "127.0.0.1:" + port;
    }

    KvernConfig config(String node) {
        Map<String, String> flags = new HashMap<>(Map.of(
                Settings.BOOTSTRAP.key(), bootstrap(),
                Settings.DATA_DIR.key(), dataDir(node).toString(),
                Settings.LISTEN.key(), "127.0.0.1:0",
                Settings.MIN_FREE.key(), "0",
                Settings.PARTITIONS.key(), "4",
                Settings.CAPACITY.key(), "4GiB"));
        flags.putAll(settings);
        return KvernConfig.resolve(null, Map.of(), flags);
    }

    Path dataDir(String node) {
        return dir.resolve(node);
    }

    /** A node, which may still be restoring. */
    NodeRuntime node(String name) {
        return NodeRuntime.start(config(name));
    }

    /** A node with settings of its own. */
    NodeRuntime node(String name, Map<String, String> own) {
        return NodeRuntime.start(config(name).with(own));
    }

    /** A node that owns every partition and is current. */
    NodeRuntime readyNode(String name) throws InterruptedException {
        return ready(node(name));
    }

    static NodeRuntime ready(NodeRuntime node) throws InterruptedException {
        if (!node.awaitReady(PATIENCE)) {
            Map<String, String> status = node.node().status();
            node.close();
            throw new AssertionError("the node was not ready within " + PATIENCE + ": " + status);
        }
        return node;
    }

    Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrap()));
    }

    BlockPublisher publisher() {
        return Wiring.publisher(config("publisher"));
    }

    /** Stops the broker; what it wrote stays. */
    void stopBroker() {
        broker.close();
    }

    /** Where the stopped broker's files are. */
    Path brokerDir() {
        return brokerConfig.dataDir();
    }

    /** Starts it again where it was, at the address where it was. */
    void restartBroker() {
        broker = EmbeddedBroker.start(brokerConfig.withPort(port));
    }

    static BlockLoader loader(Namespace namespace, NodeRuntime... nodes) {
        return new BlockLoader(LoaderConfig.of(
                namespace,
                List.of(nodes).stream().map(node -> node.listening().resolve()).toList()));
    }

    LogLoader logLoader(Namespace namespace, String worker) {
        return new LogLoader(Wiring.logLoader(config("worker"), namespace, worker));
    }

    @Override
    public void close() {
        broker.close();
    }
}
