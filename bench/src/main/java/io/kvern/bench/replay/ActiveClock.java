package io.kvern.bench.replay;

/** Adds up the time in which anything is under way. Safe in any thread. */
final class ActiveClock {
    private int running;
    private long since;
    private long nanos;

    synchronized void begin() {
        if (running++ == 0) {
            since = System.nanoTime();
        }
    }

    synchronized void end() {
        if (--running == 0) {
            nanos += System.nanoTime() - since;
        }
    }

    /** Up to now. */
    synchronized long nanos() {
        return running == 0 ? nanos : nanos + System.nanoTime() - since;
    }
}
