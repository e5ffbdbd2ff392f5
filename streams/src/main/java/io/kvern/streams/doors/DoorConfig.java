package io.kvern.streams.doors;

import io.kvern.model.InvalidInputException;
import io.kvern.model.Limits;
import io.kvern.resp.server.RespServerConfig;
import java.time.Duration;

/**
 * How a door listens and how long it waits.
 *
 * @param server address, limits and timeouts of the connections; its settings begin with {@code door.}
 * @param maxBlockBytes larger values are refused before they reach the log ({@code block.max.bytes})
 * @param unsureWait how long a command waits for the node to become sure of its answer ({@code door.unsure.wait})
 * @param writeTimeout how long a write waits until it is in the log and applied here ({@code door.write.timeout})
 */
public record DoorConfig(RespServerConfig server, int maxBlockBytes, Duration unsureWait, Duration writeTimeout) {
    public DoorConfig {
        if (maxBlockBytes < 1 || maxBlockBytes > Limits.MAX_BLOCK_BYTES) {
            throw new InvalidInputException(
                    "block.max.bytes is %d; 1 to %d are allowed".formatted(maxBlockBytes, Limits.MAX_BLOCK_BYTES));
        }
        if (server.maxRequestBytes() < maxBlockBytes + Limits.MAX_ID_BYTES) {
            throw new InvalidInputException(
                    "door.request.max.bytes is %d; a block of block.max.bytes, %d, and its id have to fit"
                            .formatted(server.maxRequestBytes(), maxBlockBytes));
        }
        if (unsureWait.isNegative()) {
            throw new InvalidInputException(
                    "door.unsure.wait is %s; 0 (not at all) or more is needed".formatted(unsureWait));
        }
        if (writeTimeout.isNegative() || writeTimeout.isZero()) {
            throw new InvalidInputException("door.write.timeout is %s; above 0 is needed".formatted(writeTimeout));
        }
    }

    /** The defaults: blocks of 64 MiB, 1 s of patience when unsure, 10 s for a write. */
    public static DoorConfig at(String host, int port) {
        return new DoorConfig(
                RespServerConfig.at(host, port),
                Limits.DEFAULT_MAX_BLOCK_BYTES,
                Duration.ofSeconds(1),
                Duration.ofSeconds(10));
    }
}
