package io.kvern.resp.server;

import java.time.Duration;

/** Small limits and short times, to be varied. */
final class Configs {
    int maxConnections = 64;
    int maxRequestBytes = 4 << 20;
    int maxArguments = 64;
    int maxPipelinedBytes = 1 << 20;
    int maxPipelinedCommands = 16;
    long memoryBytes = 8 << 20;
    Duration memoryWait = Duration.ofSeconds(10);
    Duration idleTimeout = Duration.ZERO;
    Duration requestTimeout = Duration.ofSeconds(10);
    Duration replyTimeout = Duration.ofSeconds(10);

    RespServerConfig build() {
        return new RespServerConfig(
                "test.",
                "127.0.0.1",
                0,
                1,
                maxConnections,
                maxRequestBytes,
                maxArguments,
                maxPipelinedBytes,
                maxPipelinedCommands,
                memoryBytes,
                memoryWait,
                idleTimeout,
                requestTimeout,
                replyTimeout);
    }
}
