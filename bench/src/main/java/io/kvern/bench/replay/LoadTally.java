package io.kvern.bench.replay;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Adds up what loads brought. One thread. */
final class LoadTally {
    /** Of whole prefixes, in nanoseconds up to an hour, exact to three digits. */
    private final Histogram latency = new Histogram(1, TimeUnit.HOURS.toNanos(1), 3);

    private long bytes;
    private long nanos;
    private long corrupt;
    private long unsure;
    private long gone;

    void load(long elapsedNanos) {
        nanos += elapsedNanos;
        latency.recordValue(Math.clamp(elapsedNanos, 1, latency.getHighestTrackableValue()));
    }

    void bytes(long more) {
        bytes += more;
    }

    void corrupt() {
        corrupt++;
    }

    void unsure(long more) {
        unsure += more;
    }

    /** A block that was there when the chain was matched, and went before it was loaded. */
    void goneMeanwhile() {
        gone++;
    }

    long bytes() {
        return bytes;
    }

    /** Time in loads. */
    long nanos() {
        return nanos;
    }

    /** Blocks that came with other bytes than those that were published. */
    long corruptBlocks() {
        return corrupt;
    }

    /** Matches and blocks to which nobody had a sure answer in time. */
    long unsure() {
        return unsure;
    }

    long gone() {
        return gone;
    }

    double latencyMillis(double percentile) {
        return latency.getValueAtPercentile(percentile) / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
}
