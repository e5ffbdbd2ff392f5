package io.kvern.worker.load;

/**
 * How much of a chain is stored.
 *
 * @param length number of leading blocks that servers said are present
 * @param bytes their total length
 * @param certain whether every server that was asked about the block behind them gave an answer. Where false, more may be
 *     stored than {@code length} says, never less
 */
public record MatchResult(int length, long bytes, boolean certain) {}
