package io.kvern.bench.report;

/**
 * How long single calls took.
 *
 * @param name short name, as {@code --only} takes it
 * @param what what one call does
 * @param limit the bare limit beside it; the same call with nothing behind it
 */
public record LatencyRow(String name, String title, String what, Times ours, Times limit) {
    /** Microseconds. */
    public record Times(String what, long calls, double p50, double p90, double p99, double max) {}
}
