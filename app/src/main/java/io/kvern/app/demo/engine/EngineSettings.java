package io.kvern.app.demo.engine;

import io.kvern.model.InvalidInputException;
import java.time.Duration;

/**
 * How an engine runs, which never changes what it answers.
 *
 * @param chunkTokens most tokens of one pass of a prefill, at least 1
 * @param threads threads that compute, at least 1
 * @param slotTimeout how long to wait for a slot that the tier has not given back: longer than a publisher's deadline
 */
public record EngineSettings(int chunkTokens, int threads, Duration slotTimeout) {
    public EngineSettings {
        if (chunkTokens < 1 || threads < 1 || !slotTimeout.isPositive()) {
            throw new InvalidInputException(
                    "engine settings: %d tokens per chunk, %d threads and a slot timeout of %s; each must be positive"
                            .formatted(chunkTokens, threads, slotTimeout));
        }
    }

    /** Chunks of 128 tokens on two threads. */
    public static EngineSettings defaults() {
        return new EngineSettings(128, 2, Duration.ofSeconds(40));
    }
}
