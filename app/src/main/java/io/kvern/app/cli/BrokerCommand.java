package io.kvern.app.cli;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Settings;
import io.kvern.broker.BrokerConfig;
import io.kvern.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A Kafka broker alone, for trying things on one machine. */
@Command(
        name = "broker",
        mixinStandardHelpOptions = true,
        header = "Runs a Kafka broker in this process, on the loopback address.",
        description = "For one machine: a single broker without replicas. In a cluster, run Apache Kafka itself.")
final class BrokerCommand implements Callable<Integer> {
    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--data-dir", paramLabel = "DIR", description = "Where the broker keeps its log.")
    private @Nullable Path dataDir;

    @Option(names = "--port", paramLabel = "PORT", description = "Port to listen on; 0 takes any free one.")
    private @Nullable Integer port;

    @Override
    public Integer call() throws InterruptedException {
        KvernConfig config = options.with(Settings.DATA_DIR, dataDir)
                .with(Settings.BROKER_PORT, port)
                .resolve();
        BrokerConfig broker = new BrokerConfig(
                Path.of(config.get(Settings.DATA_DIR)), "127.0.0.1", config.get(Settings.BROKER_PORT), Map.of());
        return Foreground.run(
                () -> EmbeddedBroker.start(broker),
                running -> "kvern broker is ready: kafka %s, data %s"
                        .formatted(running.bootstrapServers(), broker.dataDir()),
                EmbeddedBroker::failure);
    }
}
