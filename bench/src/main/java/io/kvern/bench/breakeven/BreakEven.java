package io.kvern.bench.breakeven;

import io.kvern.bench.report.BreakEvenTable;
import io.kvern.bench.report.BreakEvenTable.Line;
import java.util.ArrayList;
import java.util.List;

/**
 * A prefix of n tokens is computed in {@code n / prefill}, and loaded in {@code first + n * bytesPerToken / bandwidth}.
 * Loading is worth it where that is strictly less.
 */
public final class BreakEven {
    private static final long SHORTEST = 256;
    private static final long LONGEST = 131_072;
    private static final double MILLIS = 1e3;
    private static final double GIGABYTE = 1e9;

    private BreakEven() {}

    /**
     * One table per model and speed.
     *
     * @param lane short name of the lane that was measured
     * @param gigabytesPerSecond payload that it carries, 10^9 bytes per second, above 0
     * @param firstByteMillis what a load costs before its bytes flow, 0 or more
     * @param prefillSpeeds tokens per second, in place of the models' own; empty keeps theirs
     * @throws IllegalArgumentException if a number is out of its range
     */
    public static List<BreakEvenTable> tables(
            String lane,
            double gigabytesPerSecond,
            double firstByteMillis,
            List<ModelShape> models,
            List<Double> prefillSpeeds) {
        require(gigabytesPerSecond > 0, "GB/s", gigabytesPerSecond);
        require(firstByteMillis >= 0, "ms to the first byte", firstByteMillis);
        List<BreakEvenTable> tables = new ArrayList<>();
        for (ModelShape model : models) {
            for (double speed : prefillSpeeds.isEmpty() ? model.prefillTokensPerSecond() : prefillSpeeds) {
                require(speed > 0, "tokens/s", speed);
                tables.add(table(lane, gigabytesPerSecond, firstByteMillis, model, speed));
            }
        }
        return tables;
    }

    private static BreakEvenTable table(
            String lane, double gigabytesPerSecond, double firstByteMillis, ModelShape model, double speed) {
        double computeMillis = MILLIS / speed;
        double loadMillis = MILLIS * model.bytesPerToken() / (gigabytesPerSecond * GIGABYTE);
        List<Line> lines = new ArrayList<>();
        for (long tokens = SHORTEST; tokens <= LONGEST; tokens *= 2) {
            double compute = tokens * computeMillis;
            double load = firstByteMillis + tokens * loadMillis;
            lines.add(new Line(tokens, compute, load, compute - load));
        }
        return new BreakEvenTable(
                model.name(),
                model.bytesPerToken(),
                speed,
                lane,
                gigabytesPerSecond,
                firstByteMillis,
                shortest(computeMillis, loadMillis, firstByteMillis),
                List.copyOf(lines));
    }

    /**
     * The smallest n of at least 1 with {@code n * compute > first + n * load}; -1 where there is none.
     *
     * @param computeMillis of a token
     * @param loadMillis of a token
     */
    static long shortest(double computeMillis, double loadMillis, double firstByteMillis) {
        double gain = computeMillis - loadMillis;
        if (gain <= 0) {
            return -1;
        }
        double exact = firstByteMillis / gain;
        return exact >= Long.MAX_VALUE ? -1 : (long) Math.floor(exact) + 1;
    }

    private static void require(boolean holds, String unit, double value) {
        if (!holds) {
            throw new IllegalArgumentException("break-even of %s %s cannot be told".formatted(value, unit));
        }
    }
}
