package io.kvern.bench.report;

/**
 * A flame graph.
 *
 * @param html a whole page of its own
 */
public record Profile(String title, String html) {}
