package io.kvern.bench.lane;

import io.kvern.bench.report.LatencyRow;
import io.kvern.bench.site.Site;
import io.kvern.model.BlockId;
import io.kvern.model.KvernException;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.LoadRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/** One block at a time over the wire lane; against a bare question with an answer of as many bytes. */
public final class LoadLatency {
    private static final int REQUEST_BYTES = 96;

    private final Site site;
    private final BlockFeed feed;
    private final int calls;

    public LoadLatency(Site site, BlockFeed feed, int calls) {
        this.site = site;
        this.feed = feed;
        this.calls = calls;
    }

    public LatencyRow measure(int blockBytes) throws IOException, InterruptedException {
        List<BlockId> ids = feed.stored(blockBytes, 64L * blockBytes);
        ByteBuffer slot = ByteBuffer.allocateDirect(blockBytes);
        int[] next = {0};
        LatencyRow.Times ours;
        try (BlockLoader loader = feed.loader(1)) {
            ours = CallTimes.of("BlockLoader.load of one stored block", calls, () -> {
                BlockId id = ids.get(next[0]++ % ids.size());
                if (loader.load(List.of(new LoadRequest(id, slot.clear())), Duration.ofSeconds(5))
                                .prefix()
                        != 1) {
                    throw new KvernException("a load of the measurement failed");
                }
            });
        }
        try (BareQuestion question = BareQuestion.open(site.peer(), REQUEST_BYTES, blockBytes)) {
            return new LatencyRow(
                    "load",
                    "Wire lane, one block of %d bytes".formatted(blockBytes),
                    "one block, verified, into a pinned slot: one round trip",
                    ours,
                    CallTimes.of(
                            "a blocking socket sends as many bytes back, nothing done with them",
                            calls,
                            question::ask));
        }
    }
}
