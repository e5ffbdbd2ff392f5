package io.kvern.app.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a command finds Kafka. */
final class KafkaOptions {
    @Option(
            names = {"-b", "--bootstrap-servers"},
            paramLabel = "HOST:PORT[,…]",
            description = "Kafka brokers to begin with (bootstrap.servers).")
    private @Nullable String bootstrapServers;

    @Nullable
    String bootstrapServers() {
        return bootstrapServers;
    }
}
