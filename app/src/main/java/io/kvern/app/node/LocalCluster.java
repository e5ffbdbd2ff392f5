package io.kvern.app.node;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Settings;
import io.kvern.broker.BrokerConfig;
import io.kvern.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A broker and a store node in one process, over one directory: the broker's log in {@code broker}, beside what the node
 * keeps. The node may be replaced while the broker runs on.
 */
public final class LocalCluster implements AutoCloseable {
    private final EmbeddedBroker broker;
    private final KvernConfig config;
    private final DiskBudget budget;
    private NodeRuntime node;

    private LocalCluster(EmbeddedBroker broker, KvernConfig config, DiskBudget budget) {
        this.broker = broker;
        this.config = config;
        this.budget = budget;
        this.node = NodeRuntime.start(config, budget);
    }

    /**
     * Starts both.
     *
     * @throws io.kvern.broker.BrokerException if the broker cannot start, its directory being in use for one
     */
    public static LocalCluster start(KvernConfig config) {
        Path dataDir = NodeRuntime.dataDir(config);
        DiskBudget budget = DiskBudget.ofBoth(config, dataDir);
        EmbeddedBroker broker = EmbeddedBroker.start(
                new BrokerConfig(dataDir.resolve("broker"), "127.0.0.1", config.get(Settings.BROKER_PORT), Map.of()));
        try {
            return new LocalCluster(
                    broker, config.with(Map.of(Settings.BOOTSTRAP.key(), broker.bootstrapServers())), budget);
        } catch (RuntimeException e) {
            broker.close();
            throw e;
        }
    }

    /** The configuration that its parts run with: where the broker is, above all. */
    public KvernConfig config() {
        return config;
    }

    public NodeRuntime node() {
        return node;
    }

    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    /** Completes with the reason when the broker can serve no longer. */
    public CompletableFuture<Throwable> failure() {
        return broker.failure();
    }

    /** Removes all that the closed node has on disk: its blocks, its index, the state of Kafka Streams. */
    public void deleteNodeFiles() throws IOException {
        Directories.delete(NodeRuntime.storeDir(config));
        Directories.delete(NodeRuntime.streamsDir(config));
    }

    /**
     * Closes the node, lets {@code between} do what it wants to the files, and starts a new one.
     *
     * @param between what it throws leaves the cluster without a node
     */
    public void replaceNode(Runnable between) {
        node.close();
        between.run();
        node = NodeRuntime.start(config, budget);
    }

    @Override
    public void close() {
        try {
            node.close();
        } finally {
            broker.close();
        }
    }
}
