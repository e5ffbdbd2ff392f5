package io.kvern.ingest;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A number of bytes lent to blocks in flight. Those who wait are served in order, so that a large block is not starved. */
final class ByteBudget {
    /** The semaphore counts in units, so that a budget may be beyond 2 GiB. */
    private static final int UNIT = 64;

    static final long MAX_BYTES = (long) UNIT * Integer.MAX_VALUE;

    private final Semaphore units;
    private final int total;

    ByteBudget(long bytes) {
        total = unitsOf(bytes);
        units = new Semaphore(total, true);
    }

    /** Takes {@code bytes}, waiting at most {@code patience}; false, and nothing taken, where they are not to be had. */
    boolean take(long bytes, Duration patience) throws InterruptedException {
        return units.tryAcquire(unitsOf(bytes), patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    void giveBack(long bytes) {
        units.release(unitsOf(bytes));
    }

    /** Bytes lent now. */
    long lent() {
        return (long) (total - units.availablePermits()) * UNIT;
    }

    private static int unitsOf(long bytes) {
        return Math.toIntExact(Math.ceilDiv(bytes, UNIT));
    }
}
