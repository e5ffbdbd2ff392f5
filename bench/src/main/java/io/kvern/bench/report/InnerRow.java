package io.kvern.bench.report;

/**
 * A figure of JMH.
 *
 * @param parameters as JMH prints them, {@code bytes=4096}; may be empty
 * @param score in {@code unit}, {@code error} its 99.9 % interval's half, NaN where there were too few runs
 * @param allocatedBytes heap per operation
 */
public record InnerRow(
        String benchmark, String parameters, double score, double error, String unit, double allocatedBytes) {}
