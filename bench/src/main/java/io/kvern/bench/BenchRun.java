package io.kvern.bench;

import io.kvern.bench.breakeven.BreakEven;
import io.kvern.bench.breakeven.ModelShape;
import io.kvern.bench.inner.InnerBenchmarks;
import io.kvern.bench.lane.AppendLane;
import io.kvern.bench.lane.BacklogLatency;
import io.kvern.bench.lane.BlockFeed;
import io.kvern.bench.lane.EvictLane;
import io.kvern.bench.lane.Lane;
import io.kvern.bench.lane.LoadLatency;
import io.kvern.bench.lane.LogLane;
import io.kvern.bench.lane.MatchLatency;
import io.kvern.bench.lane.ReadLane;
import io.kvern.bench.lane.ReplayLane;
import io.kvern.bench.lane.Rounds;
import io.kvern.bench.lane.WireLane;
import io.kvern.bench.report.BreakEvenTable;
import io.kvern.bench.report.InnerRow;
import io.kvern.bench.report.LaneRow;
import io.kvern.bench.report.LatencyRow;
import io.kvern.bench.report.ProcessRow;
import io.kvern.bench.report.Report;
import io.kvern.bench.site.ProcFs;
import io.kvern.bench.site.Profiler;
import io.kvern.bench.site.RedisServer;
import io.kvern.bench.site.Site;
import io.kvern.bench.site.SourceBytes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One run: the rows one after the other, each with the machine to itself. */
final class BenchRun {
    private static final List<String> SITE_ROWS = List.of("evict", "replay", "wire", "log", "match", "load", "backlog");

    /** So that time is told to the line where it went, not to the nearest place where the JVM may stop. */
    private static final List<String> PROFILED = List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");

    private static final int MATCH_CALLS = 20_000;
    private static final int LOAD_CALLS = 2_000;
    private static final int BACKLOG_CALLS = 500;
    private static final List<Integer> LOAD_BYTES = List.of(64 << 10, 1 << 20, 4 << 20);

    private final BenchPlan plan;
    private final Path dir;
    private final SourceBytes source = new SourceBytes();
    private final List<LaneRow> lanes = new ArrayList<>();
    private final List<LatencyRow> latencies = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<ModelShape> models;
    private final List<Double> prefillSpeeds;
    private final Optional<Profiler> profiler;
    private final Rounds rounds;
    private List<ProcessRow> processes = List.of();

    /**
     * @param profile whether to take flame graphs too
     * @param models for the break-even
     * @param prefillSpeeds in tokens per second, in place of the models' own; empty keeps theirs
     */
    BenchRun(BenchPlan plan, Path dir, boolean profile, List<ModelShape> models, List<Double> prefillSpeeds)
            throws IOException {
        this.models = models;
        this.prefillSpeeds = prefillSpeeds;
        this.plan = plan;
        this.dir = dir;
        this.profiler = profile ? Optional.of(new Profiler(dir)) : Optional.empty();
        this.rounds = new Rounds(plan.rounds(), plan.warmUp(), profiler);
    }

    Report run() throws Exception {
        Instant started = Instant.now();
        long start = System.nanoTime();
        lane("append", new AppendLane(plan, rounds, dir, source));
        lane("read", new ReadLane(plan, rounds, dir, source));
        if (plan.measuresAny(SITE_ROWS)) {
            withSite();
        }
        List<InnerRow> inner =
                plan.measures("inner") ? new InnerBenchmarks(dir.resolve("jmh.log")).run(plan.quick()) : List.of();
        if (!ProcFs.present()) {
            notes.add("This system has no /proc: CPU seconds and resident memory are not counted.");
        }
        return new Report(
                "0.1.0",
                ThisMachine.look(dir),
                started.toString(),
                (System.nanoTime() - start) / 1e9,
                plan.rounds(),
                lanes,
                latencies,
                inner,
                processes,
                breakEven(),
                profiler.map(Profiler::profiles).orElse(List.of()),
                notes);
    }

    /**
     * From the wire lane at the size that is nearest to a mebibyte, and one small block's median time as what a load costs
     * before its bytes flow.
     */
    private List<BreakEvenTable> breakEven() {
        Optional<LaneRow> wire = lanes.stream()
                .filter(row -> row.lane().equals("wire"))
                .min(Comparator.comparingLong(row -> Math.abs(row.blockBytes() - (1L << 20))));
        Optional<LatencyRow> load =
                latencies.stream().filter(row -> row.name().equals("load")).findFirst();
        if (wire.isEmpty() || load.isEmpty()) {
            return List.of();
        }
        return BreakEven.tables(
                "wire", wire.get().ours().median(), load.get().ours().p50() / 1e3, models, prefillSpeeds);
    }

    private void withSite() throws Exception {
        Optional<RedisServer> redis = plan.measures("wire") ? RedisServer.start(dir) : Optional.empty();
        try (Site site = Site.start(dir, 4L << 30, profiler.isPresent() ? PROFILED : List.of());
                BlockFeed feed = new BlockFeed(site, source)) {
            if (redis.isEmpty() && plan.measures("wire")) {
                notes.add(
                        "redis-server is not installed (Debian: apt-get install redis-server): no peer beside the wire"
                                + " lane.");
            }
            if (plan.measures("match")) {
                latencies.add(new MatchLatency(site, feed, plan.quick() ? MATCH_CALLS / 10 : MATCH_CALLS).measure());
            }
            if (plan.measures("load")) {
                for (int blockBytes : LOAD_BYTES) {
                    latencies.add(new LoadLatency(site, feed, plan.quick() ? LOAD_CALLS / 10 : LOAD_CALLS)
                            .measure(blockBytes));
                }
            }
            lane("evict", new EvictLane(plan, rounds, site, feed, source));
            lane("wire", new WireLane(plan, rounds, site, feed, redis));
            lane("log", new LogLane(plan, rounds, site, feed));
            if (plan.measures("backlog")) {
                latencies.add(
                        new BacklogLatency(site, feed, plan.quick() ? BACKLOG_CALLS / 5 : BACKLOG_CALLS).measure());
            }
            lane("replay", new ReplayLane(plan, rounds, site, feed));
            processes = site.processes();
        } finally {
            redis.ifPresent(RedisServer::close);
        }
    }

    private void lane(String name, Lane lane) throws Exception {
        if (!plan.measures(name)) {
            return;
        }
        for (int blockBytes : plan.blockBytes()) {
            LaneRow row = lane.measure(blockBytes);
            lanes.add(row);
            tell(row);
        }
    }

    private static void tell(LaneRow row) {
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "%-7s %8d B  %.2f of %.2f GB/s = %.2f [%.2f-%.2f]  cpu %.2f/%.2f s/GB  alloc %.0f/%.0f B",
                row.lane(),
                row.blockBytes(),
                row.ours().median(),
                row.limit().median(),
                row.ratio().median(),
                row.ratio().least(),
                row.ratio().most(),
                row.ours().cpuSecondsPerGigabyte(),
                row.limit().cpuSecondsPerGigabyte(),
                row.ours().allocatedBytesPerBlock(),
                row.limit().allocatedBytesPerBlock()));
        row.peers().forEach(peer -> line.append(String.format(Locale.ROOT, "  %s %.2f", peer.name(), peer.median())));
        System.err.println(line);
    }
}
