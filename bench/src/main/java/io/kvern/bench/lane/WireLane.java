package io.kvern.bench.lane;

import io.kvern.bench.BenchPlan;
import io.kvern.bench.report.LaneRow;
import io.kvern.bench.site.Metered;
import io.kvern.bench.site.OwnJvm;
import io.kvern.bench.site.RedisServer;
import io.kvern.bench.site.Site;
import io.kvern.model.BlockId;
import io.kvern.model.KvernException;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.LoadRequest;
import io.kvern.worker.load.LoadResult;
import io.kvern.worker.memory.HostMemory;
import io.kvern.worker.memory.PinnedLease;
import io.kvern.worker.memory.PinnedPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** From the node's segments over TCP into the worker's pinned slots; against bare sockets that send the same files. */
public final class WireLane implements Lane {
    /** As many on every side. */
    static final int SOCKETS = 4;

    private static final long BATCH_BYTES = 64 << 20;
    private static final long SET_BYTES = 512 << 20;

    private final BenchPlan plan;
    private final Rounds rounds;
    private final Site site;
    private final BlockFeed feed;
    private final Optional<RedisServer> redis;

    public WireLane(BenchPlan plan, Rounds rounds, Site site, BlockFeed feed, Optional<RedisServer> redis) {
        this.plan = plan;
        this.rounds = rounds;
        this.site = site;
        this.feed = feed;
        this.redis = redis;
    }

    @Override
    public LaneRow measure(int blockBytes) throws Exception {
        List<BlockId> ids = feed.stored(blockBytes, Math.min(SET_BYTES, plan.readBytes()));
        int batch = Math.clamp(BATCH_BYTES / blockBytes, 4, 256);
        int batches = (int) Math.max(1, plan.readBytes() / ((long) batch * blockBytes));
        try (PinnedPool pool = PinnedPool.open(new HostMemory(), blockBytes, batch);
                Work work = new Work(pool, ids, batch, batches, blockBytes);
                Kvern kvern = new Kvern(work);
                Bare bare = new Bare(work);
                RespGets door = RespGets.ofDoor(work, site)) {
            List<Contender> contenders = new ArrayList<>(List.of(kvern, bare, door));
            if (redis.isPresent()) {
                contenders.add(RespGets.ofRedis(work, redis.get()));
            }
            try {
                return rounds.measure("wire", "Wire lane", blockBytes, (long) batch * batches, 0.90, contenders);
            } finally {
                contenders.getLast().close();
            }
        }
    }

    /** The blocks that are loaded in a round, in batches, and the slots that they go to. */
    static final class Work implements AutoCloseable {
        private final List<PinnedLease> slots = new ArrayList<>();
        final List<BlockId> ids;
        final int batch;
        final int batches;
        final int blockBytes;

        Work(PinnedPool pool, List<BlockId> ids, int batch, int batches, int blockBytes) throws InterruptedException {
            this.ids = ids;
            this.batch = batch;
            this.batches = batches;
            this.blockBytes = blockBytes;
            for (int i = 0; i < batch; i++) {
                slots.add(pool.lease(Duration.ZERO));
            }
        }

        int blocks() {
            return batch * batches;
        }

        long bytes() {
            return (long) blocks() * blockBytes;
        }

        BlockId id(int number) {
            return ids.get(number % ids.size());
        }

        /** The slot of a block, ready to be filled from its start. */
        ByteBuffer slot(int number) {
            return slots.get(number % batch).buffer();
        }

        @Override
        public void close() {
            slots.forEach(PinnedLease::release);
        }
    }

    private final class Kvern implements Contender {
        private final Work work;
        private final BlockLoader loader = feed.loader(SOCKETS);

        Kvern(Work work) {
            this.work = work;
        }

        @Override
        public String name() {
            return "kvern";
        }

        @Override
        public String what() {
            return "BlockLoader over 4 sockets: KV.READ from the node's segments, received into pinned slots, CRC-32C"
                    + " checked there";
        }

        @Override
        public int copiesPerByte() {
            return 3; // page cache to the node's buffer, to the socket, to the slot
        }

        @Override
        public List<Metered> processes() {
            return List.of(OwnJvm.METER, site.nodeMeter());
        }

        @Override
        public Moved run(int round) {
            long start = System.nanoTime();
            for (int b = 0; b < work.batches; b++) {
                List<LoadRequest> requests = new ArrayList<>(work.batch);
                for (int i = 0; i < work.batch; i++) {
                    requests.add(new LoadRequest(work.id(b * work.batch + i), work.slot(i)));
                }
                LoadResult result = loader.load(requests, Duration.ofSeconds(30));
                if (result.prefix() < work.batch) {
                    throw new KvernException("a load of the measurement failed: "
                            + result.blocks().get(result.prefix()));
                }
            }
            return Moved.since(start, work.bytes(), work.blocks());
        }

        @Override
        public void close() {
            loader.close();
        }
    }

    private final class Bare implements Contender {
        private final Work work;
        private final FileClient client;

        Bare(Work work) throws IOException, InterruptedException {
            this.work = work;
            this.client = new FileClient(site.peer().serve(site.segments()), SOCKETS, site.segments(), work);
        }

        @Override
        public String name() {
            return "limit";
        }

        @Override
        public String what() {
            return "a bare server in another process sends ranges of the node's own data files down 4 sockets, 4"
                    + " threads receive the same batches into the same slots and take the CRC-32C";
        }

        @Override
        public int copiesPerByte() {
            return 3;
        }

        @Override
        public List<Metered> processes() {
            return List.of(OwnJvm.METER, site.peer().meter());
        }

        @Override
        public Moved run(int round) throws Exception {
            long start = System.nanoTime();
            for (int batch = 0; batch < work.batches; batch++) {
                client.receive(batch);
            }
            return Moved.since(start, work.bytes(), work.blocks());
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
