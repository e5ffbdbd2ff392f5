package io.kvern.bench.lane;

import io.kvern.bench.BenchPlan;
import io.kvern.bench.peer.Peer;
import io.kvern.bench.peer.PlainClients;
import io.kvern.bench.report.LaneRow;
import io.kvern.bench.site.Metered;
import io.kvern.bench.site.OwnJvm;
import io.kvern.bench.site.Site;
import io.kvern.bench.site.SourceBytes;
import io.kvern.protocol.Topics;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** From the worker's memory through the log into the node's index; against Kafka's own clients moving the same records. */
public final class EvictLane implements Lane {
    private final BenchPlan plan;
    private final Rounds rounds;
    private final Site site;
    private final BlockFeed feed;
    private final SourceBytes source;

    public EvictLane(BenchPlan plan, Rounds rounds, Site site, BlockFeed feed, SourceBytes source) {
        this.plan = plan;
        this.rounds = rounds;
        this.site = site;
        this.feed = feed;
        this.source = source;
    }

    @Override
    public LaneRow measure(int blockBytes) throws Exception {
        int blocks = (int) Math.max(1, plan.logBytes() / blockBytes);
        try (Plain plain = new Plain(blockBytes, blocks)) {
            LaneRow row = rounds.measure(
                    "evict",
                    "Evict to indexed",
                    blockBytes,
                    blocks,
                    0.85,
                    List.of(new Kvern(blockBytes, blocks), plain));
            feed.forgetStored();
            return row;
        }
    }

    private final class Kvern implements Contender {
        private final int blockBytes;
        private final int blocks;

        Kvern(int blockBytes, int blocks) {
            this.blockBytes = blockBytes;
            this.blocks = blocks;
        }

        @Override
        public String name() {
            return "kvern";
        }

        @Override
        public String what() {
            return "published from direct memory, acknowledged by the broker, CRCs taken and checked, written to the"
                    + " node's segments and indexed there";
        }

        @Override
        public int copiesPerByte() {
            // Record, batch, socket, broker's receive buffer, its page cache; to the consumer's socket, its buffer; the
            // channel's direct memory, the node's page cache.
            return 9;
        }

        @Override
        public List<Metered> processes() {
            return List.of(OwnJvm.METER, site.brokerMeter(), site.nodeMeter());
        }

        @Override
        public Moved run(int round) throws InterruptedException {
            long start = System.nanoTime();
            feed.publish(feed.newIds(blocks), blockBytes);
            return Moved.since(start, (long) blocks * blockBytes, blocks);
        }
    }

    /** The same payload, cut in the same way: whole chunks and a rest. */
    private final class Plain implements Contender {
        private final int blocks;
        private final int blockBytes;
        private final byte[][] chunks;
        private final byte[] rest;
        private final KafkaProducer<byte[], byte[]> producer;

        Plain(int blockBytes, int blocks) {
            this.blocks = blocks;
            this.blockBytes = blockBytes;
            int whole = Math.min(blockBytes, Topics.CHUNK_PAYLOAD_BYTES);
            this.chunks = new byte[16][];
            for (int i = 0; i < chunks.length; i++) {
                chunks[i] = source.copy(i, whole);
            }
            this.rest = source.copy(0, blockBytes % Topics.CHUNK_PAYLOAD_BYTES);
            this.producer = PlainClients.producer(site.bootstrap());
        }

        @Override
        public String name() {
            return "limit";
        }

        @Override
        public String what() {
            return "Kafka's producer with the publisher's settings sends arrays that it has, CRC-32C of each; a"
                    + " consumer in another process with the node's settings takes the CRC-32C and discards them at the"
                    + " same time";
        }

        @Override
        public int copiesPerByte() {
            return 6; // batch, socket, broker's receive buffer, its page cache; to the consumer's socket, its buffer
        }

        @Override
        public List<Metered> processes() {
            return List.of(OwnJvm.METER, site.brokerMeter(), site.peer().meter());
        }

        @Override
        public Moved run(int round) throws InterruptedException {
            Peer peer = site.peer();
            long bytes = (long) blocks * blockBytes;
            peer.consumeFromEnd(Site.PLAIN_TOPIC, bytes);
            long start = System.nanoTime();
            CRC32C crc = new CRC32C();
            int sent = 0;
            for (int block = 0; block < blocks; block++) {
                for (int at = 0; at < blockBytes; at += Topics.CHUNK_PAYLOAD_BYTES) {
                    byte[] value = at + Topics.CHUNK_PAYLOAD_BYTES <= blockBytes ? chunks[sent++ % 16] : rest;
                    crc.reset();
                    crc.update(value);
                    var _ = producer.send(new ProducerRecord<>(Site.PLAIN_TOPIC, block % 8, null, value));
                }
            }
            producer.flush();
            peer.awaitDone();
            return Moved.since(start, bytes, blocks);
        }

        @Override
        public void close() {
            producer.close();
        }
    }
}
