package io.kvern.app.demo.local;

import io.kvern.app.demo.DemoBackend;
import io.kvern.app.demo.Progress;
import io.kvern.app.node.LocalCluster;
import io.kvern.app.node.NodeRuntime;
import io.kvern.app.node.Wiring;
import io.kvern.ingest.BlockPublisher;
import io.kvern.model.KvernException;
import io.kvern.model.Namespace;
import io.kvern.store.StoreStats;
import io.kvern.streams.RestoreProgress;
import io.kvern.worker.SinkStats;
import io.kvern.worker.load.LoaderStats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The demo's backend over a real broker and a real node. One thread, that of the scenario. */
public final class LocalBackend implements DemoBackend {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration TURN = Duration.ofMillis(200);

    private final LocalCluster cluster;
    private final Namespace namespace;
    private final List<LocalWorker> workers = new ArrayList<>();
    private long corruptInStore;

    /** The caller keeps the cluster, and closes it. */
    public LocalBackend(LocalCluster cluster, Namespace namespace) {
        this.cluster = cluster;
        this.namespace = namespace;
    }

    @Override
    public WorkerLink startWorker(String name, int slots, int slotBytes) {
        BlockPublisher publisher = Wiring.publisher(cluster.config());
        try {
            LocalWorker worker = new LocalWorker(name, namespace, slots, slotBytes, publisher, cluster.node());
            workers.add(worker);
            return worker;
        } catch (RuntimeException e) {
            publisher.close();
            throw e;
        }
    }

    @Override
    public void awaitStored() throws InterruptedException {
        for (LocalWorker worker : workers) {
            if (!worker.awaitPublished(PATIENCE)) {
                throw new KvernException("Kafka did not acknowledge all blocks within " + PATIENCE);
            }
        }
        if (!cluster.node().awaitApplied(PATIENCE)) {
            throw new KvernException("the store node did not apply all blocks within " + PATIENCE);
        }
    }

    @Override
    public Replay replaceStoreNode(Progress progress) throws InterruptedException {
        corruptInStore += cluster.node().node().store().stats().corrupt();
        long[] start = new long[1];
        cluster.replaceNode(() -> {
            try {
                cluster.deleteNodeFiles();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            start[0] = System.nanoTime();
        });
        NodeRuntime node = cluster.node();
        while (!node.awaitReady(TURN)) {
            if (System.nanoTime() - start[0] > PATIENCE.toNanos()) {
                throw new KvernException("the new store node was not ready within " + PATIENCE);
            }
            RestoreProgress.Snapshot restoring = node.node().restoring();
            progress.update("%d records restored, %d to come, %d blocks stored"
                    .formatted(
                            restoring.records(),
                            restoring.remaining(),
                            node.node().store().stats().blocks()));
        }
        awaitStored();
        long nanos = System.nanoTime() - start[0];
        StoreStats stats = node.node().store().stats();
        return new Replay(stats.stored(), stats.storedBytes(), nanos);
    }

    @Override
    public Counts counts() {
        long published = 0;
        long publishedBytes = 0;
        long notPublished = 0;
        long loaded = 0;
        long loadedBytes = 0;
        long corrupt = corruptInStore;
        for (LocalWorker worker : workers) {
            SinkStats sent = worker.sent();
            published += sent.published();
            publishedBytes += sent.publishedBytes();
            notPublished += sent.dropped() + sent.failed();
            LoaderStats came = worker.loaded();
            loaded += came.loaded();
            loadedBytes += came.bytes();
            corrupt += came.corrupt() + came.wrongCrcs();
        }
        StoreStats store = cluster.node().node().store().stats();
        return new Counts(
                published,
                publishedBytes,
                notPublished,
                store.blocks(),
                store.liveBytes(),
                loaded,
                loadedBytes,
                corrupt + store.corrupt());
    }
}
