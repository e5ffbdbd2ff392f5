package io.kvern.bench.inner;

import io.kvern.bench.report.InnerRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs this package's benchmarks, each in a JVM of its own, one after the other. */
public final class InnerBenchmarks {
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final String ALL = Pattern.quote(InnerBenchmarks.class.getPackageName() + ".") + ".*";
    private static final String QUICK_BLOCKS = "20000";
    private static final String[] JVM = {
        "-Xms256m",
        "-Xmx512m",
        "-XX:MaxDirectMemorySize=256m",
        "-XX:+UseParallelGC",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        // JMH shows a child's standard error on the console too, so only what is wrong may go there.
        "-DKVERN_LOG_LEVEL=WARN"
    };

    private final Path log;
    private final String include;

    /** @param log where JMH's output goes; overwritten */
    public InnerBenchmarks(Path log) {
        this(log, ALL);
    }

    /** @param include pattern of the benchmarks' full names */
    InnerBenchmarks(Path log, String include) {
        this.log = log;
        this.include = include;
    }

    /**
     * Runs them all: about a minute when quick, three minutes otherwise. Stores lie beside the log while they are used.
     *
     * @param quick for a look only: two short runs each, so the rows have no error, and a smaller store
     * @throws IllegalStateException if a benchmark fails; the log says why
     */
    public List<InnerRow> run(boolean quick) {
        // Others may measure on this machine at the same time, or may have left the lock behind.
        System.setProperty("jmh.ignoreLock", "true");
        try {
            Path stores = Files.createTempDirectory(log.toAbsolutePath().getParent(), "kvern-inner");
            try {
                Collection<RunResult> results =
                        new Runner(options(quick, stores).build()).run();
                return results.stream().map(InnerBenchmarks::row).toList();
            } finally {
                Trees.remove(stores);
            }
        } catch (RunnerException e) {
            throw new IllegalStateException("a benchmark of the inner pieces failed, see %s".formatted(log), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ChainedOptionsBuilder options(boolean quick, Path stores) {
        TimeValue time = TimeValue.milliseconds(quick ? 300 : 1000);
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(include)
                .forks(1)
                .warmupIterations(quick ? 1 : 3)
                .warmupTime(time)
                .measurementIterations(quick ? 2 : 5)
                .measurementTime(time)
                .jvmArgs(JVM)
                .jvmArgsAppend("-D" + FilledStore.DIRECTORY_PROPERTY + "=" + stores)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .output(log.toString());
        return quick ? options.param("blocks", QUICK_BLOCKS) : options;
    }

    private static InnerRow row(RunResult result) {
        BenchmarkParams params = result.getParams();
        Map<String, String> parameters = new TreeMap<>();
        params.getParamsKeys().forEach(name -> parameters.put(name, params.getParam(name)));
        Result<?> time = result.getPrimaryResult();
        String name = params.getBenchmark();
        return new InnerRow(
                name.substring(name.lastIndexOf('.') + 1),
                parameters.entrySet().stream()
                        .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                        .collect(Collectors.joining(", ")),
                time.getScore(),
                time.getScoreError(),
                time.getScoreUnit(),
                allocated(result));
    }

    private static double allocated(RunResult result) {
        Result<?> bytes = result.getSecondaryResults().get(ALLOCATED);
        return bytes == null ? Double.NaN : bytes.getScore();
    }
}
