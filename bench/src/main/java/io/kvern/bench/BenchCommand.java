package io.kvern.bench;

import io.kvern.app.cli.ExitCodes;
import io.kvern.app.cli.Foreground;
import io.kvern.app.node.Directories;
import io.kvern.bench.breakeven.ModelShape;
import io.kvern.bench.breakeven.ModelShapes;
import io.kvern.bench.report.Report;
import io.kvern.bench.report.ReportHtml;
import io.kvern.bench.report.ReportJson;
import io.kvern.bench.report.ReportMarkdown;
import io.kvern.bench.report.ReportText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The yardstick. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        header = "Measures every lane against the bare limit of this machine, in the same run.",
        description = {
            "",
            "A broker, a store node and a worker run as processes of their own, as they would in a cluster. Each row"
                + " runs Kvern and a bare program that moves the same bytes, in turns, so that what else the machine"
                + " does strikes both. What counts is the ratio.",
            "",
            "Redis is measured beside them where redis-server is installed. Everything is written under a directory"
                    + " that is removed at the end."
        })
final class BenchCommand implements Callable<Integer> {
    private static final List<Double> PREFILL = List.of(2_000.0, 10_000.0);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--quick", description = "Fewer rounds, sizes and bytes: about two minutes instead of twenty.")
    private boolean quick;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description = "Only these rows: append, read, evict, replay, wire, log, match, load, backlog, inner.")
    private List<String> only = List.of();

    @Option(
            names = "--block-bytes",
            paramLabel = "BYTES",
            split = ",",
            description = "Only these sizes of blocks, instead of the five of a full run.")
    private List<Integer> blockBytes = List.of();

    @Option(names = "--rounds", paramLabel = "N", description = "So many alternating rounds, instead of seven.")
    private int rounds;

    @Option(
            names = "--profile",
            description = "Also take flame graphs, in a round of their own that does not count; Linux and macOS.")
    private boolean profile;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the whole report as JSON.")
    private @Nullable Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "Also write it as a page with plots and flame graphs.")
    private @Nullable Path html;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Also write the lanes as a Markdown table.")
    private @Nullable Path markdown;

    @Option(
            names = "--bytes-per-token",
            paramLabel = "BYTES",
            description = "KV bytes of a token of your model, for the break-even; instead of some well-known models.")
    private long bytesPerToken;

    @Option(
            names = "--prefill",
            paramLabel = "TOKENS_PER_SECOND",
            split = ",",
            description = "How fast your engine computes a prompt, for the break-even; instead of assumptions.")
    private List<Double> prefill = List.of();

    @Option(
            names = "--work-dir",
            paramLabel = "DIR",
            description =
                    "Where to write while measuring: the disk that is measured. Default: the system's temporary one.")
    private @Nullable Path workDir;

    @Override
    public Integer call() throws Exception {
        BenchPlan plan = (quick ? BenchPlan.quick(Set.copyOf(only)) : BenchPlan.full(Set.copyOf(only)))
                .withBlockBytes(blockBytes)
                .withRounds(rounds);
        return Foreground.runUntilStopped(() -> {
            Path base = workDir;
            Path dir = base == null
                    ? Files.createTempDirectory("kvern-bench")
                    : Files.createTempDirectory(Files.createDirectories(base), "kvern-bench");
            try {
                Report report = new BenchRun(plan, dir, profile, models(), prefill).run();
                PrintWriter out = spec.commandLine().getOut();
                out.print(ReportText.render(report));
                out.flush();
                write(report);
                return ExitCodes.OK;
            } finally {
                delete(dir);
            }
        });
    }

    private List<ModelShape> models() {
        return bytesPerToken == 0
                ? ModelShapes.known()
                : List.of(new ModelShape("yours", bytesPerToken, prefill.isEmpty() ? PREFILL : prefill));
    }

    private void write(Report report) throws IOException {
        Path data = json;
        if (data != null) {
            ReportJson.write(report, data);
        }
        Path page = html;
        if (page != null) {
            ReportHtml.write(report, page);
        }
        Path table = markdown;
        if (table != null) {
            Files.writeString(table, ReportMarkdown.lanes(report));
        }
    }

    private static void delete(Path dir) {
        try {
            Directories.delete(dir);
        } catch (IOException e) {
            System.err.printf("kvern: could not remove %s: %s%n", dir, e);
        }
    }
}
