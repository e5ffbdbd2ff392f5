package io.kvern.bench.breakeven;

import java.util.List;

/**
 * What of a model decides how a load compares with a prefill.
 *
 * @param name as the report prints it
 * @param bytesPerToken KV bytes of a token over all layers and ranks, at least 1
 * @param prefillTokensPerSecond speeds of the engine to look at, each above 0: an assumption, not a measurement
 */
public record ModelShape(String name, long bytesPerToken, List<Double> prefillTokensPerSecond) {
    /** @throws IllegalArgumentException if a number is not above 0 */
    public ModelShape {
        prefillTokensPerSecond = List.copyOf(prefillTokensPerSecond);
        if (bytesPerToken < 1) {
            throw new IllegalArgumentException("%d bytes per token; at least 1 is needed".formatted(bytesPerToken));
        }
        for (double speed : prefillTokensPerSecond) {
            if (!(speed > 0)) {
                throw new IllegalArgumentException("prefill of %s tokens/s; more than 0 is needed".formatted(speed));
            }
        }
    }

    /**
     * Attention with keys and values of their own: 2 x layers x heads x dimension x bytes of a number.
     *
     * @param keyValueHeads heads that keys and values have, fewer than the query's in grouped attention
     * @param numberBytes 2 for bf16
     */
    static ModelShape ofHeads(
            String name, int layers, int keyValueHeads, int headDimension, int numberBytes, Double... speeds) {
        return new ModelShape(name, 2L * layers * keyValueHeads * headDimension * numberBytes, List.of(speeds));
    }

    /**
     * Latent attention: per layer one vector that keys and values are made of, and one rotary key.
     *
     * @param numberBytes 2 for bf16
     */
    static ModelShape ofLatent(
            String name, int layers, int latentRank, int rotaryDimension, int numberBytes, Double... speeds) {
        return new ModelShape(name, (long) layers * (latentRank + rotaryDimension) * numberBytes, List.of(speeds));
    }
}
