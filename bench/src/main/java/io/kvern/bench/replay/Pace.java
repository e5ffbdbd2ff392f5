package io.kvern.bench.replay;

import java.util.concurrent.TimeUnit;

/** Lets requests begin when their trace says, faster or slower, and notes how late they do. One thread. */
final class Pace {
    private final double speed;
    private final long begin = System.nanoTime();
    private long late;
    private long mostLateNanos;

    /** @param speed how much faster than the trace's time; 0 for no waiting at all */
    Pace(double speed) {
        this.speed = speed;
    }

    void await(long timestampMillis) throws InterruptedException {
        if (speed == 0) {
            return;
        }
        long due = begin + (long) (timestampMillis / speed * TimeUnit.MILLISECONDS.toNanos(1));
        long left = due - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        } else if (-left > TimeUnit.MILLISECONDS.toNanos(1)) {
            late++;
            mostLateNanos = Math.max(mostLateNanos, -left);
        }
    }

    /** Requests that began more than a millisecond late, since the one before took so long. */
    long late() {
        return late;
    }

    double mostLateSeconds() {
        return mostLateNanos / (double) TimeUnit.SECONDS.toNanos(1);
    }

    double seconds() {
        return (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
    }
}
