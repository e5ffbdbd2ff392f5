package io.kvern.streams.doors;

import java.time.Duration;

/** A moment until which a command may wait, in all that it does. */
record Deadline(long nanos) {
    static Deadline in(Duration patience) {
        return new Deadline(System.nanoTime() + patience.toNanos());
    }

    /** What is left, never negative. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    boolean passed() {
        return nanos - System.nanoTime() <= 0;
    }
}
