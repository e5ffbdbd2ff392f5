package io.kvern.bench.lane;

import io.kvern.bench.BenchPlan;
import io.kvern.bench.peer.Peer;
import io.kvern.bench.report.LaneRow;
import io.kvern.bench.site.Metered;
import io.kvern.bench.site.Site;
import io.kvern.model.KvernException;
import java.util.List;

/** A node that has lost its disk fills itself from the log; against a plain consumer that reads the same topic. */
public final class ReplayLane implements Lane {
    private final BenchPlan plan;
    private final Rounds rounds;
    private final Site site;
    private final BlockFeed feed;

    public ReplayLane(BenchPlan plan, Rounds rounds, Site site, BlockFeed feed) {
        this.plan = plan;
        this.rounds = rounds;
        this.site = site;
        this.feed = feed;
    }

    /** The log holds what the rows before this one left in it, and {@code blockBytes} blocks at its end for two rounds. */
    @Override
    public LaneRow measure(int blockBytes) throws Exception {
        int blocks = (int) Math.max(1, 2 * plan.logBytes() / blockBytes);
        site.emptyLog();
        feed.publish(feed.newIds(blocks), blockBytes);
        feed.forgetStored();
        return rounds.measure(
                "replay", "Replay into the store", blockBytes, blocks, 0.80, List.of(new Kvern(), new Plain()));
    }

    private final class Kvern implements Contender {
        @Override
        public String name() {
            return "kvern";
        }

        @Override
        public String what() {
            return "a node restores from the log into an empty directory, from its first restored record to its last;"
                + " CRC of each chunk checked, written to segments, indexed, synced as it goes; its CPU is that of the"
                + " whole process, its start included";
        }

        @Override
        public int copiesPerByte() {
            return 4; // broker's page cache to the socket, to the consumer's buffer, to direct memory, to the page
            // cache
        }

        @Override
        public List<Metered> processes() {
            return List.of(site.brokerMeter(), site.nodeMeter());
        }

        @Override
        public Moved run(int round) throws Exception {
            site.loseNode();
            long bytes = said("restored_bytes");
            long records = said("restored_records");
            return new Moved(bytes, Math.max(1, records), Math.max(1, said("restore_micros")) * 1000);
        }

        private long said(String name) {
            return site.nodeSays(name).orElseThrow(() -> new KvernException("the node's INFO has no line " + name));
        }
    }

    private final class Plain implements Contender {
        @Override
        public String name() {
            return "limit";
        }

        @Override
        public String what() {
            return "a plain consumer in another process, with the node's settings, reads the topic from its start to"
                    + " its end, takes the CRC-32C of each value and discards it";
        }

        @Override
        public int copiesPerByte() {
            return 2;
        }

        @Override
        public List<Metered> processes() {
            return List.of(site.brokerMeter(), site.peer().meter());
        }

        @Override
        public Moved run(int round) throws InterruptedException {
            Peer.Done done = site.peer().consumeAll(Site.BLOCKS_TOPIC);
            return new Moved(done.bytes(), 1, done.nanos());
        }
    }
}
