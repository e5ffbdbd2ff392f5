package io.kvern.model;

/**
 * One publication of one block: chunks with the same id belong together, and chunks of two publications of one block never
 * mix.
 *
 * @param incarnationHigh leading half of the random id that a producer takes at its start
 * @param incarnationLow trailing half
 * @param sequence counts the publications of that incarnation
 */
public record PublishId(long incarnationHigh, long incarnationLow, long sequence) {}
