package io.kvern.bench.replay;

import io.kvern.app.node.LocalCluster;
import io.kvern.app.node.Wiring;
import io.kvern.ingest.BlockPublisher;
import io.kvern.ingest.BlockPut;
import io.kvern.ingest.Publication;
import io.kvern.model.BlockId;
import io.kvern.model.CacheSpec;
import io.kvern.model.Namespace;
import io.kvern.worker.EvictionSink;
import io.kvern.worker.SinkStats;
import io.kvern.worker.load.BlockLoad;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.LoadRequest;
import io.kvern.worker.load.LoadResult;
import io.kvern.worker.load.LoadStatus;
import io.kvern.worker.load.LoaderConfig;
import io.kvern.worker.load.MatchResult;
import io.kvern.worker.memory.HostMemory;
import io.kvern.worker.memory.PinnedLease;
import io.kvern.worker.memory.PinnedPool;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A worker as it would run beside an engine: pinned slots, an eviction sink over a publisher of its own, a loader. Blocks are
 * made of their pattern on the way out, and compared with it on the way in. One thread.
 */
final class ReplayWorker implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** Slots for loads and for blocks on their way out: by memory, within bounds. */
    private static final int LOAD_MEMORY = 64 << 20;

    private static final int PUBLISH_MEMORY = 64 << 20;
    private static final int LEAST_SLOTS = 4;
    private static final int MOST_LOAD_SLOTS = 512;
    private static final int MOST_PUBLISH_SLOTS = 4096;

    private final Namespace namespace = Namespace.of(
            "kvern/replay",
            new CacheSpec.Engine(
                    "opaque", 1, 1, 1, TraceRequest.TOKENS_PER_BLOCK, 1, "pattern", "trace", "0", "replay", "pattern"));
    private final BlockPattern pattern;
    private final PinnedPool pool;
    private final List<PinnedLease> loadSlots = new ArrayList<>();
    private final BlockPublisher publisher;
    private final EvictionSink sink;
    private final BlockLoader loader;
    private final LoadTally tally = new LoadTally();

    ReplayWorker(LocalCluster cluster, BlockPattern pattern) throws InterruptedException {
        this.pattern = pattern;
        int forLoads = Math.clamp(LOAD_MEMORY / pattern.length(), LEAST_SLOTS, MOST_LOAD_SLOTS);
        int forPublishing = Math.clamp(PUBLISH_MEMORY / pattern.length(), LEAST_SLOTS, MOST_PUBLISH_SLOTS);
        this.pool = PinnedPool.open(new HostMemory(), pattern.length(), forLoads + forPublishing);
        for (int i = 0; i < forLoads; i++) {
            loadSlots.add(pool.lease(Duration.ZERO));
        }
        this.publisher = Wiring.publisher(cluster.config());
        this.sink = new EvictionSink(publisher);
        this.loader = new BlockLoader(
                LoaderConfig.of(namespace, List.of(cluster.node().listening().resolve())));
    }

    /** How many leading blocks the store has, came, and hold their pattern. */
    int load(List<Long> hashIds) {
        List<BlockId> ids = hashIds.stream().map(ReplayWorker::id).toList();
        MatchResult match = loader.match(ids, DEADLINE);
        if (!match.certain()) {
            tally.unsure(1);
        }
        long nanos = 0;
        int good = 0;
        boolean more = true;
        while (more && good < match.length()) {
            int part = Math.min(loadSlots.size(), match.length() - good);
            List<LoadRequest> requests = new ArrayList<>(part);
            List<ByteBuffer> slots = new ArrayList<>(part);
            for (int i = 0; i < part; i++) {
                ByteBuffer slot = loadSlots.get(i).buffer();
                slots.add(slot);
                requests.add(new LoadRequest(ids.get(good + i), slot.duplicate()));
            }
            LoadResult result = loader.load(requests, DEADLINE);
            nanos += result.elapsed().toNanos();
            tally.bytes(result.bytes());
            int verified = verified(hashIds.subList(good, good + part), slots, result);
            good += verified;
            more = verified == part;
        }
        if (match.length() > 0) {
            tally.load(nanos);
        }
        return good;
    }

    private int verified(List<Long> hashIds, List<ByteBuffer> slots, LoadResult result) {
        int prefix = result.blocks().size();
        for (int i = result.blocks().size() - 1; i >= 0; i--) {
            BlockLoad block = result.blocks().get(i);
            boolean loaded = block.status() == LoadStatus.LOADED;
            boolean right = loaded && block.length() == pattern.length() && pattern.isIn(hashIds.get(i), slots.get(i));
            if (right) {
                continue;
            }
            prefix = i;
            switch (block.status()) {
                case LOADED, CORRUPT -> tally.corrupt();
                case MISS -> tally.goneMeanwhile();
                case LATE, REFUSED, UNSURE -> tally.unsure(1);
            }
        }
        return prefix;
    }

    /** Makes the block and hands it to the sink; waits for a free slot, and for room in the publisher's budget. */
    Publication publish(long hashId) throws InterruptedException {
        try (PinnedLease lease = pool.lease(DEADLINE)) {
            pattern.fill(hashId, lease.buffer());
            return sink.evict(BlockPut.of(namespace, id(hashId)), lease, pattern.length());
        }
    }

    private static BlockId id(long hashId) {
        return BlockId.of(ByteBuffer.allocate(Long.BYTES).putLong(hashId).array(), 0, 1, 0);
    }

    SinkStats sent() {
        return sink.stats();
    }

    LoadTally loaded() {
        return tally;
    }

    @Override
    public void close() {
        try {
            publisher.close();
        } finally {
            loader.close();
            loadSlots.forEach(PinnedLease::release);
            pool.close();
        }
    }
}
