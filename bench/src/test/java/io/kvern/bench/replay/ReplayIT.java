package io.kvern.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.app.cli.KvernCommand;
import io.kvern.app.demo.Progress;
import io.kvern.app.node.LocalCluster;
import io.kvern.app.node.NodeRuntime;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small traces through a real broker and a real node. */
class ReplayIT {
    private static final int BLOCK = 8192;

    @TempDir
    private Path dir;

    private final Progress quiet = new Progress(new PrintStream(OutputStream.nullOutputStream()), false);

    private static Trace trace() {
        return new TraceGenerator(new TraceGenerator.Settings(120, 4, 4096, 2048, 1024, 100, 7)).limitedTo(300);
    }

    private static LocalCluster start(ReplayPlan plan, Path where) throws InterruptedException {
        LocalCluster cluster = LocalCluster.start(plan.config(where));
        assertThat(cluster.node().awaitReady(Duration.ofSeconds(60))).isTrue();
        return cluster;
    }

    private ReplayReport replay(LocalCluster cluster, ReplayPlan plan, long salt, Trace trace)
            throws InterruptedException {
        try (ReplayDriver driver = new ReplayDriver(cluster, plan, new BlockPattern(BLOCK, salt), quiet)) {
            return driver.run(trace, TraceSummary.of(trace), 0);
        }
    }

    @Test
    void anEndlessStoreHitsTheIdealAndWhatIsDamagedIsSeen() throws IOException, InterruptedException {
        TraceSummary summary = TraceSummary.of(trace());
        ReplayPlan plan = ReplayPlan.of(summary, BLOCK, new Capacity.Unlimited());
        try (LocalCluster cluster = start(plan, dir)) {
            // Given a first run, which publishes every block once and finds it again each time.
            ReplayReport first = replay(cluster, plan, 0, trace());
            assertThat(first.hitBlocks()).isEqualTo(summary.idealHits());
            assertThat(first.hitRate()).isEqualTo(summary.idealHitRate());
            assertThat(first.publishedBlocks()).isEqualTo(summary.uniqueBlocks());
            assertThat(first.loadedBytes()).isEqualTo(summary.idealHits() * BLOCK);
            assertThat(first.intact()).isTrue();
            assertThat(List.of(first.corrupt(), first.dropped(), first.failed(), first.unsure()))
                    .containsOnly(0L);

            // When other bytes are expected, each first block that comes is corrupt, and nothing is a hit.
            Trace few = trace().limitedTo(3);
            ReplayReport other = replay(cluster, plan, 1, few);
            assertThat(other.hitBlocks()).isZero();
            assertThat(other.corrupt()).isPositive();

            // When bytes on disk are damaged, they never arrive: the chain ends before them, and the damage is told.
            cluster.node().node().store().sync(Duration.ofSeconds(10));
            damage(NodeRuntime.storeDir(plan.config(dir)).resolve("segments"));
            ReplayReport damaged = replay(cluster, plan, 0, few);
            assertThat(damaged.damaged()).isPositive();
            assertThat(damaged.intact()).isFalse();
            assertThat(damaged.corrupt()).isZero();
            assertThat(damaged.hitBlocks()).isLessThan(TraceSummary.of(few).blocks());
        }
    }

    private static void damage(Path segments) throws IOException {
        try (Stream<Path> files = Files.list(segments)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".data")).toList()) {
                try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
                    for (long at = 5; at < access.length(); at += BLOCK) {
                        access.seek(at);
                        int good = access.read();
                        access.seek(at);
                        access.write(good ^ 1);
                    }
                }
            }
        }
    }

    @Test
    void aSmallStoreEvictsAndHitsLessButNeverWrong() throws InterruptedException {
        TraceSummary summary = TraceSummary.of(trace());
        ReplayPlan plan = ReplayPlan.of(summary, 8 * BLOCK, new Capacity.Share(0.25));
        try (LocalCluster cluster = start(plan, dir);
                ReplayDriver driver = new ReplayDriver(cluster, plan, new BlockPattern(plan.blockBytes(), 0), quiet)) {
            ReplayReport report = driver.run(trace(), summary, 100);
            assertThat(report.storeEvictedBlocks()).isPositive();
            assertThat(report.storeKeptBlocks()).isPositive();
            assertThat(report.hitRate()).isPositive().isLessThan(summary.idealHitRate());
            assertThat(List.of(report.corrupt(), report.dropped(), report.failed(), report.storeRefused()))
                    .containsOnly(0L);
        }
    }

    @Test
    void theCommandSaysWhatItMeasuredAndLeavesNothingBehind() throws IOException {
        Path made = dir.resolve("made.jsonl");
        Path json = dir.resolve("result.json");

        assertThat(KvernCommand.commandLine()
                        .execute("replay", "--generate", made.toString(), "--conversations", "9", "--turns", "3"))
                .isZero();
        assertThat(Files.readAllLines(made)).hasSize(27);
        assertThat(KvernCommand.commandLine()
                        .execute("replay", "--trace", made.toString(), "--json", json.toString(), "--limit", "20"))
                .isZero();
        assertThat(Files.readString(json)).contains("\"requests\" : 20", "\"corrupt\" : 0");
        assertThat(KvernCommand.commandLine().execute("replay", "--data-dir", dir.toString()))
                .as("a directory with something in it")
                .isEqualTo(2);
        assertThat(KvernCommand.commandLine().execute("replay", "--trace", json.toString()))
                .as("no trace")
                .isEqualTo(2);
    }
}
