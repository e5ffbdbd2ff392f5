package io.kvern.app.cli;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Settings;
import io.kvern.app.node.NodeRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One store node beside a Kafka that runs elsewhere. */
@Command(
        name = "store",
        mixinStandardHelpOptions = true,
        header = "Runs a store node: follows the log, keeps blocks on disk, serves them.",
        description = {
            "",
            "Topics that are absent are made. Settings of brokers and topics that cannot work refuse to start, each by"
                    + " its name. Nodes with one node.group share the partitions; node.standby.replicas=1 lets a second"
                    + " one hold each block.",
            "",
            "One line on standard output says when the node is current; its door listens before that, and answers"
                + " TRYAGAIN where it cannot know yet. Ctrl-C or SIGTERM stops it in good order. When Kafka goes away"
                + " the node stays, serves what cannot be stale, and goes on when Kafka is back."
        })
final class StoreCommand implements Callable<Integer> {
    /** A cold node of some TiB restores for hours, and says so in the log. */
    private static final Duration PATIENCE = Duration.ofDays(7);

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private KafkaOptions kafka = new KafkaOptions();

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Where blocks and state are kept (data.dir). Default: kvern-data.")
    private @Nullable Path dataDir;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where the Redis-speaking door listens (listen); port 0 takes any free one. Default:"
                    + " 127.0.0.1:6390.")
    private @Nullable String listen;

    @Override
    public Integer call() throws Exception {
        KvernConfig config = options.with(Settings.BOOTSTRAP, kafka.bootstrapServers())
                .with(Settings.DATA_DIR, dataDir)
                .with(Settings.LISTEN, listen)
                .resolve();
        return Foreground.run(
                spec.commandLine().getOut(),
                () -> start(config),
                running -> "kvern store is ready: redis %s, kafka %s, data %s"
                        .formatted(running.listening(), config.get(Settings.BOOTSTRAP), config.get(Settings.DATA_DIR)),
                running -> new CompletableFuture<>());
    }

    private static NodeRuntime start(KvernConfig config) throws InterruptedException {
        NodeRuntime node = NodeRuntime.start(config);
        try {
            if (!node.awaitCurrent(PATIENCE)) {
                throw new UnavailableException("the node did not become current within " + PATIENCE);
            }
            return node;
        } catch (RuntimeException | InterruptedException e) {
            node.close();
            throw e;
        }
    }
}
