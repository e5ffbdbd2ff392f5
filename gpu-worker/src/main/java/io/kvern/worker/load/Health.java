package io.kvern.worker.load;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether a node is worth asking. One that cannot be reached is left alone for {@value #FIRST_REST_MILLIS} ms, then twice as
 * long each time up to {@value #LONGEST_REST_MILLIS} ms; any answer ends that. Safe in any thread.
 */
final class Health {
    private static final long FIRST_REST_MILLIS = 50;
    private static final long LONGEST_REST_MILLIS = 1000;

    /** What a failed connection says of the node. */
    enum Gravity {
        /** A connection that had answered broke: it may have been idle for long, or the node restarts. */
        BROKE(0),
        /** It never answered; twice in a row is as bad as unreachable. */
        FRUITLESS(1),
        /** No connection, or one to a node that says nothing at all. */
        UNREACHABLE(2);

        private final int weight;

        Gravity(int weight) {
            this.weight = weight;
        }
    }

    private int failures;
    private boolean resting;
    private long restsUntil;
    private long succeededAt = System.nanoTime();
    private String lastFailure = "";

    synchronized void succeeded() {
        failures = 0;
        resting = false;
        succeededAt = System.nanoTime();
    }

    /**
     * A connection failed.
     *
     * @return for how many milliseconds the node is left alone because of it; 0 where it is not
     */
    synchronized long failed(String reason, Gravity gravity) {
        // Several lanes meet the same trouble at once: that is one failure.
        if (gravity == Gravity.BROKE || whyResting() != null) {
            return 0;
        }
        failures = Math.min(30, failures + gravity.weight);
        if (failures < Gravity.UNREACHABLE.weight) {
            return 0;
        }
        long rest = Math.min(LONGEST_REST_MILLIS, FIRST_REST_MILLIS << (failures / 2 - 1));
        resting = true;
        restsUntil = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(rest);
        lastFailure = reason;
        return rest;
    }

    /** When the node may be asked again, in {@link System#nanoTime()}; now or earlier where it may be asked. */
    synchronized long restsUntil() {
        return resting ? restsUntil : System.nanoTime();
    }

    /** Null where the node may be asked, else why not. */
    synchronized @Nullable String whyResting() {
        return resting && System.nanoTime() - restsUntil < 0 ? lastFailure : null;
    }

    /** Whether there was no answer for at least {@code nanos}. */
    synchronized boolean silentFor(long nanos) {
        return System.nanoTime() - succeededAt >= nanos;
    }
}
