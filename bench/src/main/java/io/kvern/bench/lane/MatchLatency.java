package io.kvern.bench.lane;

import io.kvern.bench.report.LatencyRow;
import io.kvern.bench.site.Site;
import io.kvern.model.BlockId;
import io.kvern.model.KvernException;
import io.kvern.worker.load.BlockLoader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** One round trip: how many of 128 blocks of a chain are stored; against a bare question of the same size over a socket. */
public final class MatchLatency {
    private static final int IDS = 128;
    private static final int BLOCK_BYTES = 64 << 10;

    /** A canonical id of a 16-byte hash as a Redis argument: some 60 bytes; the reply is two numbers. */
    private static final int BYTES_PER_ID = 64;

    private static final int REPLY_BYTES = 24;

    private final Site site;
    private final BlockFeed feed;
    private final int calls;

    public MatchLatency(Site site, BlockFeed feed, int calls) {
        this.site = site;
        this.feed = feed;
        this.calls = calls;
    }

    public LatencyRow measure() throws IOException, InterruptedException {
        List<BlockId> chain = feed.stored(BLOCK_BYTES, (long) IDS * BLOCK_BYTES).subList(0, IDS);
        LatencyRow.Times ours;
        try (BlockLoader loader = feed.loader(1)) {
            ours = CallTimes.of("BlockLoader.match of 128 stored blocks", calls, () -> {
                if (loader.match(chain, Duration.ofSeconds(5)).length() != IDS) {
                    throw new KvernException("a chain of the measurement is not whole");
                }
            });
        }
        return new LatencyRow(
                "match",
                "KV.MATCH, 128 ids",
                "how many leading blocks of a chain are stored: one round trip",
                ours,
                bare());
    }

    private LatencyRow.Times bare() throws IOException, InterruptedException {
        try (BareQuestion question = BareQuestion.open(site.peer(), IDS * BYTES_PER_ID, REPLY_BYTES)) {
            return CallTimes.of(
                    "the same bytes to a blocking socket and back, nothing done with them", calls, question::ask);
        }
    }
}
