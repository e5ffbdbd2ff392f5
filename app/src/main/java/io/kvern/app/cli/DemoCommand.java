package io.kvern.app.cli;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Settings;
import io.kvern.app.demo.DemoPlan;
import io.kvern.app.demo.DemoReport;
import io.kvern.app.demo.DemoScenario;
import io.kvern.app.demo.DemoTable;
import io.kvern.app.demo.Progress;
import io.kvern.app.demo.local.LocalBackend;
import io.kvern.app.node.Directories;
import io.kvern.app.node.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The whole thing, to be watched. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        header = "Shows the whole way of a KV block, with everything in this process; about a minute.",
        description = {
            "",
            "A small transformer serves conversations that its KV pool is too small for. Evicted blocks go through a"
                + " real Kafka broker into the store; a second worker starts cold and loads its prefixes from there;"
                + " then the store node is deleted with all its files, and a new one refills by replaying the log for"
                + " a third worker. Each answer with a loaded prefix is computed again from scratch, and must be equal"
                + " bit for bit.",
            "",
            "It works in a directory of its own under the system's temporary one, and removes it. Exit code 1 where any"
                    + " answer differs or any block was corrupt."
        })
final class DemoCommand implements Callable<Integer> {
    @Option(names = "--quick", description = "Fewer and shorter conversations: about 20 seconds.")
    private boolean quick;

    @Override
    public Integer call() throws Exception {
        // What it is doing is told by the demo itself.
        Terminal.quietLogs();
        return Foreground.runUntilStopped(() -> {
            Path directory = Files.createTempDirectory("kvern-demo");
            try {
                return run(directory);
            } finally {
                delete(directory);
            }
        });
    }

    private int run(Path directory) throws InterruptedException {
        DemoPlan plan = quick ? DemoPlan.quick() : DemoPlan.full();
        Progress progress = Terminal.progress();
        KvernConfig config = KvernConfig.resolve(
                null,
                Map.of(),
                Map.of(
                        Settings.DATA_DIR.key(), directory.toString(),
                        Settings.LISTEN.key(), "127.0.0.1:0",
                        Settings.CAPACITY.key(), "1GiB",
                        Settings.MIN_FREE.key(), "64MiB"));
        progress.begin("broker and store node start");
        DemoReport report;
        try (LocalCluster cluster = LocalCluster.start(config)) {
            if (!cluster.node().awaitReady(Duration.ofSeconds(60))) {
                throw new UnavailableException("the store node was not ready within 60 s");
            }
            progress.done("kafka %s, redis %s, files in %s"
                    .formatted(cluster.bootstrapServers(), cluster.node().listening(), directory));
            report = new DemoScenario(plan, new LocalBackend(cluster, plan.namespace()), progress).run();
        }
        System.out.print(DemoTable.render(report));
        System.out.flush();
        return report.failures().isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static void delete(Path directory) {
        try {
            Directories.delete(directory);
        } catch (IOException e) {
            System.err.printf("kvern: could not remove %s: %s%n", directory, e);
        }
    }
}
