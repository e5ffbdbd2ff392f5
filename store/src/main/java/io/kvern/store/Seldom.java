package io.kvern.store;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Says yes at most once in ten seconds: for messages that one full disk would write thousands of times. Any thread. */
final class Seldom {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final AtomicLong last = new AtomicLong(System.nanoTime() - PAUSE_NANOS);

    boolean now() {
        long now = System.nanoTime();
        long before = last.get();
        return now - before >= PAUSE_NANOS && last.compareAndSet(before, now);
    }
}
