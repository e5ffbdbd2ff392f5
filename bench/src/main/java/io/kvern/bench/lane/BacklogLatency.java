package io.kvern.bench.lane;

import io.kvern.bench.report.LatencyRow;
import io.kvern.bench.site.Site;
import io.kvern.ingest.Publication;
import io.kvern.model.BlockId;
import io.kvern.model.KvernException;
import io.kvern.worker.load.LoadRequest;
import io.kvern.worker.log.LogLoader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** One small block at a time over the log lane while blocks are published as fast as they go; against the same without them. */
public final class BacklogLatency {
    private static final int LOADED_BYTES = 64 << 10;
    private static final int PUBLISHED_BYTES = 4 << 20;
    private static final int PUBLISHED_AT_ONCE = 32;

    private final Site site;
    private final BlockFeed feed;
    private final int calls;

    public BacklogLatency(Site site, BlockFeed feed, int calls) {
        this.site = site;
        this.feed = feed;
        this.calls = calls;
    }

    public LatencyRow measure() throws IOException, InterruptedException {
        List<BlockId> ids = feed.stored(LOADED_BYTES, 64L * LOADED_BYTES);
        ByteBuffer slot = ByteBuffer.allocateDirect(LOADED_BYTES);
        int[] next = {0};
        try (LogLoader loader = site.logLoader()) {
            CallTimes.Call load = () -> {
                BlockId id = ids.get(next[0]++ % ids.size());
                var result = loader.load(List.of(new LoadRequest(id, slot.clear())), Duration.ofSeconds(20));
                if (result.prefix() != 1) {
                    throw new KvernException("a load of the measurement failed: " + result.blocks());
                }
            };
            LatencyRow.Times quiet = CallTimes.of("the same load while nothing is published", calls, load);
            AtomicBoolean enough = new AtomicBoolean();
            CompletableFuture<List<Publication>> backlog = new CompletableFuture<>();
            Thread publisher = Thread.ofPlatform().name("bench-backlog").start(() -> publish(enough, backlog));
            LatencyRow.Times busy;
            try {
                busy = CallTimes.of("LogLoader.load of one block behind a backlog of blocks", calls, load);
            } finally {
                enough.set(true);
                publisher.join();
            }
            feed.awaitIndexed(backlog.join());
            feed.forgetStored();
            return new LatencyRow(
                    "backlog",
                    "Log lane, one block of %d bytes under a backlog".formatted(LOADED_BYTES),
                    "one block through the broker, while blocks are published as fast as they go",
                    busy,
                    quiet);
        }
    }

    private void publish(AtomicBoolean enough, CompletableFuture<List<Publication>> backlog) {
        List<Publication> last = new ArrayList<>();
        try {
            while (!enough.get()) {
                last = feed.send(feed.newIds(PUBLISHED_AT_ONCE), PUBLISHED_BYTES);
            }
            backlog.complete(last);
        } catch (RuntimeException e) {
            backlog.completeExceptionally(e);
        }
    }
}
