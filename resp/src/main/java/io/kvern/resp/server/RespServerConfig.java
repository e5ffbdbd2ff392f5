package io.kvern.resp.server;

import io.kvern.model.InvalidInputException;
import io.kvern.model.Limits;
import java.time.Duration;

/**
 * How a server listens and what it puts up with. Sizes in bytes. Each setting is named in errors by the prefix and the name
 * given below.
 *
 * @param settings prefix of the setting names, such as {@code door.}
 * @param host address to listen on
 * @param port 0 for any free one
 * @param ioThreads event loops, which only move bytes
 * @param maxConnections further clients get an error; each busy connection takes a thread ({@code max.connections})
 * @param maxRequestBytes largest request, all arguments together ({@code request.max.bytes})
 * @param maxArguments most arguments of one request, the command's name included ({@code request.max.arguments})
 * @param maxPipelinedBytes a connection with this much waiting to be handled is not read on ({@code pipeline.max.bytes})
 * @param maxPipelinedCommands the same, counted in commands ({@code pipeline.max.commands})
 * @param memoryBytes direct memory of all requests and replies in flight; small commands, of up to 512 bytes, are outside of
 *     it and bounded by {@code maxConnections × maxPipelinedCommands} ({@code memory.bytes})
 * @param memoryWait how long a request or a reply waits for a share of it ({@code memory.wait})
 * @param idleTimeout a connection without traffic is closed, 0 for never ({@code idle.timeout})
 * @param requestTimeout a request that has begun is complete within this time, or the connection is closed
 *     ({@code request.timeout})
 * @param replyTimeout a client that takes nothing of a waiting reply for this long is cut off ({@code reply.timeout})
 */
public record RespServerConfig(
        String settings,
        String host,
        int port,
        int ioThreads,
        int maxConnections,
        int maxRequestBytes,
        int maxArguments,
        int maxPipelinedBytes,
        int maxPipelinedCommands,
        long memoryBytes,
        Duration memoryWait,
        Duration idleTimeout,
        Duration requestTimeout,
        Duration replyTimeout) {

    public RespServerConfig {
        if (port < 0 || port > 65535) {
            throw new InvalidInputException("%sport is %d; 0 to 65535 are allowed".formatted(settings, port));
        }
        atLeastOne(settings, "io.threads", ioThreads);
        atLeastOne(settings, "max.connections", maxConnections);
        atLeastOne(settings, "request.max.bytes", maxRequestBytes);
        atLeastOne(settings, "request.max.arguments", maxArguments);
        atLeastOne(settings, "pipeline.max.bytes", maxPipelinedBytes);
        atLeastOne(settings, "pipeline.max.commands", maxPipelinedCommands);
        positive(settings, "memory.wait", memoryWait);
        positive(settings, "request.timeout", requestTimeout);
        positive(settings, "reply.timeout", replyTimeout);
        if (idleTimeout.isNegative()) {
            throw new InvalidInputException(
                    "%sidle.timeout is %s; 0 (never) or more is needed".formatted(settings, idleTimeout));
        }
        long largest = BufferPool.capacityFor(maxRequestBytes);
        if (memoryBytes < largest) {
            throw new InvalidInputException(
                    "%smemory.bytes is %d; a largest request takes %d alone (setting %srequest.max.bytes is %d)"
                            .formatted(settings, memoryBytes, largest, settings, maxRequestBytes));
        }
    }

    /** The defaults: 1024 connections, requests of 65 MiB, 256 MiB of memory; 5 s, 10 min, 1 min and 30 s of patience. */
    public static RespServerConfig at(String host, int port) {
        return new RespServerConfig(
                "door.",
                host,
                port,
                Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 8),
                1024,
                Limits.DEFAULT_MAX_BLOCK_BYTES + (1 << 20),
                65536,
                32 << 20,
                256,
                256L << 20,
                Duration.ofSeconds(5),
                Duration.ofMinutes(10),
                Duration.ofMinutes(1),
                Duration.ofSeconds(30));
    }

    /** The full name of a setting. */
    String setting(String name) {
        return settings + name;
    }

    private static void atLeastOne(String settings, String name, int value) {
        if (value < 1) {
            throw new InvalidInputException("%s%s is %d; at least 1 is needed".formatted(settings, name, value));
        }
    }

    private static void positive(String settings, String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new InvalidInputException("%s%s is %s; above 0 is needed".formatted(settings, name, value));
        }
    }
}
