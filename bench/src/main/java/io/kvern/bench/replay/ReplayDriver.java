package io.kvern.bench.replay;

import io.kvern.app.demo.Progress;
import io.kvern.app.node.LocalCluster;
import io.kvern.store.StoreStats;
import io.kvern.worker.SinkStats;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Takes one request after the other: waits for its own publications of these blocks, loads what the store has of the prefix,
 * and publishes the rest, as an engine would that has computed it. Knows nothing of what ought to be stored. One thread.
 */
final class ReplayDriver implements AutoCloseable {
    private final LocalCluster cluster;
    private final ReplayPlan plan;
    private final ReplayWorker worker;
    private final UnderWay underWay;
    private final Progress progress;

    /** The caller keeps the cluster, which must be ready, and closes it after this. */
    ReplayDriver(LocalCluster cluster, ReplayPlan plan, BlockPattern pattern, Progress progress)
            throws InterruptedException {
        this.cluster = cluster;
        this.plan = plan;
        this.progress = progress;
        this.worker = new ReplayWorker(cluster, pattern);
        this.underWay = new UnderWay(cluster.node().node());
    }

    /**
     * Replays a trace from its beginning. For one trace: counters of worker and store count on.
     *
     * @param summary of the same trace
     * @param speed how much faster than the trace's time; 0 for as fast as possible
     */
    ReplayReport run(Trace trace, TraceSummary summary, double speed) throws InterruptedException {
        Pace pace = new Pace(speed);
        long requests = 0;
        long blocks = 0;
        long hits = 0;
        try (Trace.Cursor cursor = trace.open()) {
            for (TraceRequest next = cursor.next(); next != null; next = cursor.next()) {
                pace.await(next.timestampMillis());
                hits += serve(next.hashIds());
                blocks += next.hashIds().size();
                requests++;
                progress.update("request %,d of %,d, hit rate %s"
                        .formatted(requests, summary.requests(), ReplayTable.percent(share(hits, blocks))));
            }
        }
        underWay.awaitAll();
        return report(trace, summary, hits, speed, pace);
    }

    private int serve(List<Long> hashIds) throws InterruptedException {
        underWay.awaitStored(hashIds);
        int hits = worker.load(hashIds);
        for (long missing : new LinkedHashSet<>(hashIds.subList(hits, hashIds.size()))) {
            underWay.add(missing, worker.publish(missing));
        }
        return hits;
    }

    private ReplayReport report(Trace trace, TraceSummary summary, long hits, double speed, Pace pace) {
        SinkStats sent = worker.sent();
        LoadTally loaded = worker.loaded();
        StoreStats store = cluster.node().node().store().stats();
        return new ReplayReport(
                trace.name(),
                summary.requests(),
                summary.blocks(),
                summary.uniqueBlocks(),
                summary.tokens(),
                plan.blockBytes(),
                plan.capacityBytes(),
                speed,
                hits,
                share(hits, summary.blocks()),
                summary.idealHits(),
                summary.idealHitRate(),
                sent.published(),
                sent.publishedBytes(),
                gigabytesPerSecond(sent.publishedBytes(), underWay.publishingNanos()),
                loaded.bytes(),
                gigabytesPerSecond(loaded.bytes(), loaded.nanos()),
                loaded.latencyMillis(50),
                loaded.latencyMillis(99),
                loaded.corruptBlocks(),
                store.corrupt(),
                sent.dropped(),
                sent.failed(),
                loaded.unsure(),
                loaded.gone(),
                store.duplicates(),
                store.refused(),
                store.evictedBlocks(),
                store.evictedSegments(),
                store.keptBlocks(),
                store.liveBytes(),
                pace.late(),
                pace.mostLateSeconds(),
                pace.seconds());
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    private static double gigabytesPerSecond(long bytes, long nanos) {
        return nanos <= 0 ? 0 : bytes / 1e9 / (nanos / (double) TimeUnit.SECONDS.toNanos(1));
    }

    @Override
    public void close() {
        worker.close();
    }
}
