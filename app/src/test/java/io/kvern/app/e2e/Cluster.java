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
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A real broker in this JVM, and what a test starts beside it. */
final class Cluster implements AutoCloseable {
    private final Path dir;
    private final Map<String, String> settings;
    private EmbeddedBroker broker;

    Cluster(Path dir, Map<String, String> settings) {
        this.dir = dir;
        this.settings = new HashMap<>(settings);
        this.broker = EmbeddedBroker.start(BrokerConfig.of(dir.resolve("broker")));
    }

    String bootstrap() {
        return broker.bootstrapServers();
    }

    KvernConfig config(String node) {
        Map<String, String> flags = new HashMap<>(Map.of(
                Settings.BOOTSTRAP.key(), bootstrap(),
                Settings.DATA_DIR.key(), dataDir(node).toString(),
                Settings.LISTEN.key(), "127.0.0.1:0",
                Settings.MIN_FREE.key(), "0",
                Settings.CAPACITY.key(), "4GiB"));
        flags.putAll(settings);
        return KvernConfig.resolve(null, Map.of(), flags);
    }

    Path dataDir(String node) {
        return dir.resolve(node);
    }

    NodeRuntime node(String name) {
        return NodeRuntime.start(config(name));
    }

    BlockPublisher publisher() {
        return Wiring.publisher(config("publisher"));
    }

    /** Stops the broker; what it wrote stays. */
    void stopBroker() {
        broker.close();
    }

    /** Starts it again where it was, at the address where it was. */
    void restartBroker() {
        int port = broker.port();
        broker = EmbeddedBroker.start(BrokerConfig.of(dir.resolve("broker")).withPort(port));
    }

    static BlockLoader loader(Namespace namespace, NodeRuntime... nodes) {
        return new BlockLoader(LoaderConfig.of(
                namespace,
                List.of(nodes).stream().map(node -> node.listening().resolve()).toList()));
    }

    @Override
    public void close() {
        broker.close();
    }
}
