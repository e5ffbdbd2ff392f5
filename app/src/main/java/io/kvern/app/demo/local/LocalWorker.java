package io.kvern.app.demo.local;

import io.kvern.app.demo.DemoBackend.WorkerLink;
import io.kvern.app.demo.engine.BlockMemory;
import io.kvern.app.demo.engine.BlockTier;
import io.kvern.app.demo.engine.EvictedBlock;
import io.kvern.app.demo.local.PinnedBlockMemory.PinnedSlot;
import io.kvern.app.node.NodeRuntime;
import io.kvern.ingest.BlockPublisher;
import io.kvern.ingest.BlockPut;
import io.kvern.ingest.Publication;
import io.kvern.ingest.PublishOutcome;
import io.kvern.model.BlockId;
import io.kvern.model.Namespace;
import io.kvern.worker.EvictionSink;
import io.kvern.worker.SinkStats;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.LoadRequest;
import io.kvern.worker.load.LoaderConfig;
import io.kvern.worker.load.LoaderStats;
import io.kvern.worker.memory.HostMemory;
import io.kvern.worker.memory.PinnedPool;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker as it would run beside an engine: pinned pool, eviction sink over a publisher of its own, loader. */
final class LocalWorker implements WorkerLink, BlockTier {
    private static final Logger LOG = LoggerFactory.getLogger(LocalWorker.class);
    private static final Duration LOAD_DEADLINE = Duration.ofSeconds(5);

    private final String name;
    private final Namespace namespace;
    private final PinnedPool pool;
    private final BlockPublisher publisher;
    private final EvictionSink sink;
    private final BlockLoader loader;
    private final Set<Publication> underWay = ConcurrentHashMap.newKeySet();

    /** Takes {@code publisher} over. */
    LocalWorker(
            String name, Namespace namespace, int slots, int slotBytes, BlockPublisher publisher, NodeRuntime node) {
        this.name = name;
        this.namespace = namespace;
        this.publisher = publisher;
        this.pool = PinnedPool.open(new HostMemory(), slotBytes, slots);
        this.sink = new EvictionSink(publisher);
        this.loader = new BlockLoader(
                LoaderConfig.of(namespace, List.of(node.listening().resolve())));
    }

    @Override
    public BlockMemory memory() {
        return new PinnedBlockMemory(pool);
    }

    @Override
    public BlockTier tier() {
        return this;
    }

    @Override
    public void evicted(EvictedBlock block) {
        if (!(block.slot().origin() instanceof PinnedSlot(var lease))) {
            throw new IllegalArgumentException("block %s is not in a slot of %s".formatted(block.id(), name));
        }
        BlockPut put = new BlockPut(
                namespace.key(block.id()), namespace.writeMode(), 0, block.components(), block.parentId(), 0);
        Publication publication = sink.evict(put, lease, block.length());
        underWay.add(publication);
        var _ = publication.outcome().whenComplete((outcome, error) -> ended(publication, outcome));
        // The slot is the engine's again when the publisher has read it, which is before the outcome is known.
        var _ = publication
                .released()
                .whenComplete((nothing, error) -> block.slot().release());
    }

    private void ended(Publication publication, PublishOutcome outcome) {
        underWay.remove(publication);
        if (!(outcome instanceof PublishOutcome.Published)) {
            LOG.warn("{}: block {} was not published: {}", name, publication.key(), outcome);
        }
    }

    @Override
    public int load(List<BlockId> ids, List<ByteBuffer> destinations) {
        // What is not there need not be asked for one by one.
        int stored = loader.match(ids, LOAD_DEADLINE).length();
        if (stored == 0) {
            return 0;
        }
        List<LoadRequest> requests = new ArrayList<>(stored);
        for (int i = 0; i < stored; i++) {
            requests.add(new LoadRequest(ids.get(i), destinations.get(i)));
        }
        return loader.load(requests, LOAD_DEADLINE).prefix();
    }

    /** Waits until every block that was given up has its outcome; false at the deadline. */
    boolean awaitPublished(Duration patience) throws InterruptedException {
        try {
            CompletableFuture.allOf(underWay.stream().map(Publication::outcome).toArray(CompletableFuture[]::new))
                    .get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("outcomes complete normally", e);
        }
    }

    SinkStats sent() {
        return sink.stats();
    }

    LoaderStats loaded() {
        return loader.stats();
    }

    @Override
    public void close() {
        try {
            publisher.close();
        } finally {
            loader.close();
            pool.close();
        }
    }
}
