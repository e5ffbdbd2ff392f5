package io.kvern.bench.replay;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.kvern.app.cli.ExitCodes;
import io.kvern.app.cli.Foreground;
import io.kvern.app.cli.Terminal;
import io.kvern.app.cli.UnavailableException;
import io.kvern.app.demo.Progress;
import io.kvern.app.node.Directories;
import io.kvern.app.node.LocalCluster;
import io.kvern.model.InvalidInputException;
import io.kvern.model.KvernException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A request trace through the whole pipeline. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        header = "Replays a trace of requests through broker, store and worker, and says what was saved.",
        description = {
            "",
            "For each request the worker asks the store for its prefix, loads it, compares every byte with what was"
                    + " published, and publishes the blocks that were not there. Without --trace it replays a generated"
                    + " one.",
            "",
            "A trace has a JSON object per line: timestamp (ms), input_length, output_length, and hash_ids, one per"
                    + " block of 512 tokens.",
            "",
            "Exit code 1 where any block was corrupt or damaged."
        })
final class ReplayCommand implements Callable<Integer> {
    @Option(names = "--trace", paramLabel = "FILE", description = "The trace; without it one is generated.")
    private @Nullable Path trace;

    @Option(names = "--generate", paramLabel = "FILE", description = "Only write the generated trace there.")
    private @Nullable Path generate;

    @Option(
            names = "--block-bytes",
            paramLabel = "N",
            defaultValue = "4096",
            description = "Payload of a block, 1 to 67108864 (default: ${DEFAULT-VALUE}).")
    private int blockBytes;

    @Option(
            names = "--capacity",
            paramLabel = "SIZE",
            defaultValue = "unlimited",
            description = "The store's capacity: a size such as 512MiB, a percentage such as 25%% of all different"
                    + " blocks' payload, or unlimited (default: ${DEFAULT-VALUE}).")
    private String capacity = "unlimited";

    @Option(
            names = "--speed",
            paramLabel = "X",
            defaultValue = "0",
            description = "Times the trace's own speed; 0 is as fast as possible (default: ${DEFAULT-VALUE}).")
    private double speed;

    @Option(names = "--limit", paramLabel = "REQUESTS", description = "Replay only the first ones.")
    private @Nullable Long limit;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the result there, too.")
    private @Nullable Path json;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Work there and keep everything; without it, in a temporary directory that is removed.")
    private @Nullable Path dataDir;

    @Mixin
    private GeneratorOptions generator = new GeneratorOptions();

    @Override
    public Integer call() throws Exception {
        if (!(speed >= 0 && speed <= 1e6)) {
            throw new InvalidInputException("--speed is %s; 0 to 1000000 is allowed".formatted(speed));
        }
        if (limit != null && limit < 1) {
            throw new InvalidInputException("--limit is %d; at least 1 is needed".formatted(limit));
        }
        Terminal.quietLogs();
        Trace whole = trace == null ? generator.generator() : new TraceFile(trace);
        Trace chosen = limit == null ? whole : whole.limitedTo(limit);
        if (generate != null) {
            long requests = TraceWriter.write(chosen, generate);
            System.out.printf("%,d requests written to %s%n", requests, generate);
            return ExitCodes.OK;
        }
        return Foreground.runUntilStopped(() -> prepare(chosen));
    }

    private int prepare(Trace chosen) throws IOException, InterruptedException {
        Progress progress = Terminal.progress();
        progress.begin("trace");
        TraceSummary summary = TraceSummary.of(chosen);
        progress.done("%,d requests, %,d blocks, %,d different"
                .formatted(summary.requests(), summary.blocks(), summary.uniqueBlocks()));
        ReplayPlan plan = ReplayPlan.of(summary, blockBytes, Capacity.parse(capacity));
        Path kept = dataDir;
        if (kept != null) {
            Files.createDirectories(kept);
            requireEmpty(kept);
            return replay(chosen, summary, plan, kept, progress);
        }
        Path directory = Files.createTempDirectory("kvern-replay");
        try {
            return replay(chosen, summary, plan, directory, progress);
        } finally {
            delete(directory);
        }
    }

    private int replay(Trace chosen, TraceSummary summary, ReplayPlan plan, Path directory, Progress progress)
            throws IOException, InterruptedException {
        plan.requireRoom(directory);
        progress.begin("broker and store node start");
        ReplayReport report;
        try (LocalCluster cluster = LocalCluster.start(plan.config(directory))) {
            if (!cluster.node().awaitReady(Duration.ofSeconds(60))) {
                throw new UnavailableException("the store node was not ready within 60 s");
            }
            progress.done("up to %,d MB of disk in %s".formatted(plan.neededBytes() / 1_000_000, directory));
            progress.begin("replay");
            BlockPattern pattern = new BlockPattern(blockBytes, 0);
            try (ReplayDriver driver = new ReplayDriver(cluster, plan, pattern, progress)) {
                report = driver.run(chosen, summary, speed);
            }
            progress.done("hit rate %s".formatted(ReplayTable.percent(report.hitRate())));
        }
        System.out.print(ReplayTable.render(report));
        System.out.flush();
        if (json != null) {
            write(json, report);
        }
        return report.intact() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static void write(Path file, ReplayReport report) {
        try {
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), report);
        } catch (IOException e) {
            throw new KvernException("the result cannot be written to %s: %s".formatted(file, e), e);
        }
    }

    /** What an earlier run left would be hits. */
    private static void requireEmpty(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            if (files.findAny().isPresent()) {
                throw new InvalidInputException(
                        "--data-dir %s is not empty; a replay begins with nothing stored".formatted(directory));
            }
        }
    }

    private static void delete(Path directory) {
        try {
            Directories.delete(directory);
        } catch (IOException e) {
            System.err.printf("kvern: could not remove %s: %s%n", directory, e);
        }
    }
}
