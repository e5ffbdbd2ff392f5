package io.kvern.bench.lane;

import io.kvern.bench.BenchPlan;
import io.kvern.bench.peer.Peer;
import io.kvern.bench.peer.PlainClients;
import io.kvern.bench.report.LaneRow;
import io.kvern.bench.site.Metered;
import io.kvern.bench.site.OwnJvm;
import io.kvern.bench.site.Site;
import io.kvern.model.BlockId;
import io.kvern.model.KvernException;
import io.kvern.protocol.Topics;
import io.kvern.worker.load.LoadRequest;
import io.kvern.worker.load.LoadResult;
import io.kvern.worker.log.LogLoader;
import io.kvern.worker.memory.HostMemory;
import io.kvern.worker.memory.PinnedPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** From the node's segments through the broker into the worker's pinned slots; against records that a plain producer has. */
public final class LogLane implements Lane {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final long BATCH_BYTES = 32 << 20;
    private static final long SET_BYTES = 256 << 20;

    private final BenchPlan plan;
    private final Rounds rounds;
    private final Site site;
    private final BlockFeed feed;

    public LogLane(BenchPlan plan, Rounds rounds, Site site, BlockFeed feed) {
        this.plan = plan;
        this.rounds = rounds;
        this.site = site;
        this.feed = feed;
    }

    @Override
    public LaneRow measure(int blockBytes) throws Exception {
        List<BlockId> ids = feed.stored(blockBytes, Math.min(SET_BYTES, plan.readBytes()));
        int batch = Math.clamp(BATCH_BYTES / blockBytes, 2, 256);
        int batches = (int) Math.max(1, plan.logBytes() / 4 / ((long) batch * blockBytes));
        try (PinnedPool pool = PinnedPool.open(new HostMemory(), blockBytes, batch);
                WireLane.Work work = new WireLane.Work(pool, ids, batch, batches, blockBytes);
                Kvern kvern = new Kvern(work);
                Plain plain = new Plain(work)) {
            return rounds.measure("log", "Log lane", blockBytes, work.blocks(), 0, List.of(kvern, plain));
        }
    }

    private final class Kvern implements Contender {
        private final WireLane.Work work;
        private final LogLoader loader = site.logLoader();

        Kvern(WireLane.Work work) {
            this.work = work;
        }

        @Override
        public String name() {
            return "kvern";
        }

        @Override
        public String what() {
            return "LogLoader: a request through kvern.loads, blocks read from the node's segments and sent through"
                    + " kvern.replies, CRC-32C checked in the pinned slots";
        }

        @Override
        public int copiesPerByte() {
            // Record, batch, socket, broker's buffer, its page cache; to the consumer's socket, its buffer, the slot.
            return 8;
        }

        @Override
        public List<Metered> processes() {
            return List.of(OwnJvm.METER, site.brokerMeter(), site.nodeMeter());
        }

        @Override
        public Moved run(int round) {
            long start = System.nanoTime();
            for (int b = 0; b < work.batches; b++) {
                List<LoadRequest> requests = new ArrayList<>(work.batch);
                for (int i = 0; i < work.batch; i++) {
                    requests.add(new LoadRequest(work.id(b * work.batch + i), work.slot(i)));
                }
                LoadResult result = loader.load(requests, Duration.ofSeconds(20));
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

    private final class Plain implements Contender {
        private final WireLane.Work work;
        private final KafkaConsumer<byte[], byte[]> consumer = PlainClients.consumer(site.bootstrap());

        Plain(WireLane.Work work) {
            this.work = work;
            PlainClients.assignAll(consumer, Site.PLAIN_TOPIC);
        }

        @Override
        public String name() {
            return "limit";
        }

        @Override
        public String what() {
            return "a plain producer in another process, told to begin, sends arrays that it has, CRC-32C of each; a"
                    + " plain consumer here takes the CRC-32C and discards them";
        }

        @Override
        public int copiesPerByte() {
            return 6;
        }

        @Override
        public List<Metered> processes() {
            return List.of(OwnJvm.METER, site.brokerMeter(), site.peer().meter());
        }

        @Override
        public Moved run(int round) throws InterruptedException {
            Peer peer = site.peer();
            int value = Math.min(work.blockBytes, Topics.CHUNK_PAYLOAD_BYTES);
            int records = (int) (work.bytes() / value);
            consumer.seekToEnd(consumer.assignment());
            consumer.assignment().forEach(consumer::position);
            peer.prepareToProduce(Site.PLAIN_TOPIC, records, value);
            long start = System.nanoTime();
            peer.go();
            CRC32C crc = new CRC32C();
            long bytes = (long) records * value;
            for (long seen = 0; seen < bytes; ) {
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
                    crc.reset();
                    crc.update(message.value());
                    seen += message.value().length;
                }
            }
            Moved moved = Moved.since(start, bytes, work.blocks());
            peer.awaitDone();
            return moved;
        }

        @Override
        public void close() {
            consumer.close();
        }
    }
}
