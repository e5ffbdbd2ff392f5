package io.kvern.bench;

import io.kvern.bench.lane.AppendLane;
import io.kvern.bench.lane.BlockFeed;
import io.kvern.bench.lane.EvictLane;
import io.kvern.bench.lane.Lane;
import io.kvern.bench.lane.LoadLatency;
import io.kvern.bench.lane.MatchLatency;
import io.kvern.bench.lane.ReadLane;
import io.kvern.bench.lane.ReplayLane;
import io.kvern.bench.lane.Rounds;
import io.kvern.bench.lane.WireLane;
import io.kvern.bench.report.LaneRow;
import io.kvern.bench.report.LatencyRow;
import io.kvern.bench.report.ProcessRow;
import io.kvern.bench.report.Report;
import io.kvern.bench.site.Profiler;
import io.kvern.bench.site.RedisServer;
import io.kvern.bench.site.Site;
import io.kvern.bench.site.SourceBytes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
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
    private static final List<Integer> LOAD_BYTES = List.of(64 << 10, 1 << 20, 4 << 20);

    private final BenchPlan plan;
    private final Path dir;
    private final SourceBytes source = new SourceBytes();
    private final List<LaneRow> lanes = new ArrayList<>();
    private final List<LatencyRow> latencies = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Optional<Profiler> profiler;
    private final Rounds rounds;
    private List<ProcessRow> processes = List.of();

    /** @param profile whether to take flame graphs too */
    BenchRun(BenchPlan plan, Path dir, boolean profile) throws IOException {
        this.plan = plan;
        this.dir = dir;
        this.profiler = profile ? Optional.of(new Profiler(dir)) : Optional.empty();
        this.rounds = new Rounds(plan.rounds(), profiler);
    }

    Report run() throws Exception {
        Instant started = Instant.now();
        long start = System.nanoTime();
        lane("append", new AppendLane(plan, rounds, dir, source));
        lane("read", new ReadLane(plan, rounds, dir, source));
        if (plan.measuresAny(SITE_ROWS)) {
            withSite();
        }
        return new Report(
                "0.1.0",
                ThisMachine.look(dir),
                started.toString(),
                (System.nanoTime() - start) / 1e9,
                plan.rounds(),
                lanes,
                latencies,
                List.of(),
                processes,
                List.of(),
                profiler.map(Profiler::profiles).orElse(List.of()),
                notes);
    }

    private void withSite() throws Exception {
        Optional<RedisServer> redis = plan.measures("wire") ? RedisServer.start(dir) : Optional.empty();
        try (Site site = Site.start(dir, 4L << 30, profiler.isPresent() ? PROFILED : List.of());
                BlockFeed feed = new BlockFeed(site, source)) {
            if (redis.isEmpty()) {
                notes.add(
                        "redis-server is not installed (Debian: apt-get install redis-server): no peer beside the wire"
                                + " lane.");
            }
            if (plan.measures("match")) {
                latencies.add(new MatchLatency(site, feed, MATCH_CALLS).measure());
            }
            if (plan.measures("load")) {
                for (int blockBytes : LOAD_BYTES) {
                    latencies.add(new LoadLatency(site, feed, LOAD_CALLS).measure(blockBytes));
                }
            }
            lane("evict", new EvictLane(plan, rounds, site, feed, source));
            lane("wire", new WireLane(plan, rounds, site, feed, redis));
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
