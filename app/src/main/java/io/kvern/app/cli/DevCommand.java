package io.kvern.app.cli;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Settings;
import io.kvern.app.node.LocalCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The thing that a developer leaves running. */
@Command(
        name = "dev",
        mixinStandardHelpOptions = true,
        header = "Runs broker, store and door in this process: what a developer leaves running.",
        description = {
            "",
            "Everything is kept under the data directory and served again after a restart. It listens on the loopback"
                + " address. One line on standard output says when it is ready, and where; Ctrl-C or SIGTERM stops it"
                + " in good order.",
            "",
            "  redis-cli -p 6390 set block-1 hello",
            "  redis-cli -p 6390 get block-1",
            "  kvern stats"
        })
final class DevCommand implements Callable<Integer> {
    /** Replaying a full log of this machine takes less; whoever waits longer is told why by the log. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Where everything is kept (data.dir). Default: kvern-data.")
    private @Nullable Path dataDir;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where the Redis-speaking door listens (listen); port 0 takes any free one. Default:"
                    + " 127.0.0.1:6390.")
    private @Nullable String listen;

    @Override
    public Integer call() throws Exception {
        KvernConfig config = options.with(Settings.DATA_DIR, dataDir)
                .with(Settings.LISTEN, listen)
                .resolve();
        return Foreground.run(
                spec.commandLine().getOut(),
                () -> start(config),
                running -> "kvern dev is ready: redis %s, kafka %s, data %s"
                        .formatted(
                                running.node().listening(), running.bootstrapServers(), config.get(Settings.DATA_DIR)),
                LocalCluster::failure);
    }

    private static LocalCluster start(KvernConfig config) throws InterruptedException {
        LocalCluster cluster = LocalCluster.start(config);
        try {
            if (!cluster.node().awaitReady(PATIENCE)) {
                throw new UnavailableException("the node did not become ready within " + PATIENCE);
            }
            return cluster;
        } catch (RuntimeException | InterruptedException e) {
            cluster.close();
            throw e;
        }
    }
}
