package io.kvern.app.node;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Settings;
import io.kvern.ingest.BlockPublisher;
import io.kvern.protocol.ClusterLayout;
import io.kvern.streams.StoreNode;
import io.kvern.streams.doors.DoorConfig;
import io.kvern.streams.doors.RespDoor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store node with its door and the publisher for what is written through the door. Everything on disk lies under
 * {@code data.dir}: the store's files in {@code store}, Kafka Streams' own in {@code streams}.
 */
public final class NodeRuntime implements AutoCloseable {
    private final HostPort listening;
    private final BlockPublisher publisher;
    private final StoreNode node;
    private final RespDoor door;
    private final int partitions;
    private final AtomicBoolean closed = new AtomicBoolean();

    private NodeRuntime(HostPort listening, BlockPublisher publisher, StoreNode node, RespDoor door, int partitions) {
        this.listening = listening;
        this.publisher = publisher;
        this.node = node;
        this.door = door;
        this.partitions = partitions;
    }

    /**
     * Starts a node. Its door is open when this returns, and it may still be restoring.
     *
     * @throws io.kvern.ingest.KafkaUnavailableException if no broker answers
     * @throws io.kvern.model.InvalidInputException if a setting is impossible, cannot work with the brokers' or topics', or
     *     the data directory is in use or belongs to another log
     */
    public static NodeRuntime start(KvernConfig config) {
        Path storeDir = storeDir(config);
        return start(config, DiskBudget.ofNode(config, storeDir));
    }

    static NodeRuntime start(KvernConfig config, DiskBudget budget) {
        DoorConfig doorConfig = Wiring.door(config);
        ClusterLayout layout = ClusterTopics.prepare(config, budget.retentionBytes());
        BlockPublisher publisher = Wiring.publisher(config, layout);
        StoreNode node = null;
        try {
            node = StoreNode.start(
                    Wiring.node(
                            config,
                            layout,
                            Wiring.store(config, storeDir(config), budget.capacityBytes()),
                            streamsDir(config)),
                    publisher);
            RespDoor door = RespDoor.open(doorConfig, node);
            HostPort listening = new HostPort(doorConfig.server().host(), door.port());
            int partitions = layout.topic(Wiring.topics(config).blocks()).partitions();
            return new NodeRuntime(listening, publisher, node, door, partitions);
        } catch (RuntimeException e) {
            if (node != null) {
                node.close();
            }
            publisher.close();
            throw e;
        }
    }

    static Path dataDir(KvernConfig config) {
        return Path.of(config.get(Settings.DATA_DIR));
    }

    /** Where a node of this configuration keeps its blocks. */
    public static Path storeDir(KvernConfig config) {
        return dataDir(config).resolve("store");
    }

    /** Where Kafka Streams keeps its own state of such a node: no blocks. */
    public static Path streamsDir(KvernConfig config) {
        return dataDir(config).resolve("streams");
    }

    /** Where its door listens. */
    public HostPort listening() {
        return listening;
    }

    public StoreNode node() {
        return node;
    }

    /** What the door writes with; others in this process may publish through it too. */
    public BlockPublisher publisher() {
        return publisher;
    }

    /** Waits until this node alone serves the whole log, and is current; what it waits for is said in the log meanwhile. */
    public boolean awaitReady(Duration patience) throws InterruptedException {
        return new ReadyWait(node, partitions).await(patience);
    }

    /** Waits until the partitions that this node has been given, which may be none, are current. */
    public boolean awaitCurrent(Duration patience) throws InterruptedException {
        return new ReadyWait(node, 0).await(patience);
    }

    /** Waits until this node has applied all that its partitions' logs hold now. */
    public boolean awaitApplied(Duration patience) throws InterruptedException {
        return node.awaitLogEnd(patience);
    }

    /** Takes no more clients, leaves the group, syncs the store, then lets go of Kafka: about half a minute at most. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            door.close();
        } finally {
            try {
                node.close();
            } finally {
                publisher.close();
            }
        }
    }
}
