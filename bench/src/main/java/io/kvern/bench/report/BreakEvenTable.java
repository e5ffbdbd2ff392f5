package io.kvern.bench.report;

import java.util.List;

/**
 * Loading a prefix against computing it, for one model.
 *
 * @param bytesPerToken KV bytes of a token over all layers and ranks
 * @param prefillTokensPerSecond how fast the engine computes
 * @param lane whose measured bandwidth and latency were taken
 * @param gigabytesPerSecond of that lane
 * @param firstByteMillis what a load costs before its bytes flow
 * @param breakEvenTokens the shortest prefix that is worth loading; -1 where none is
 */
public record BreakEvenTable(
        String model,
        long bytesPerToken,
        double prefillTokensPerSecond,
        String lane,
        double gigabytesPerSecond,
        double firstByteMillis,
        long breakEvenTokens,
        List<Line> lines) {
    /** For one prefix length: milliseconds until its last token is there, and what is saved. */
    public record Line(long tokens, double computeMillis, double loadMillis, double savedMillis) {}
}
