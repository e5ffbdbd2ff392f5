package io.kvern.bench.report;

/** Ours over the limit, by rounds: the median, and the smallest and largest of any round. */
public record Ratio(double median, double least, double most) {}
