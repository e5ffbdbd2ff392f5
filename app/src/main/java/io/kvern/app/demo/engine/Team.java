package io.kvern.app.demo.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of threads, the caller's among them, that do the parts of one job side by side. Jobs come every few
 * microseconds, so a thread spins a little before it parks; between requests all of them are parked.
 *
 * <p>{@link #run} belongs to one thread at a time.
 */
final class Team implements AutoCloseable {
    /** A few microseconds: about what waking a parked thread costs. */
    private static final int SPINS = 1_000;

    private static final long PARK_NANOS = 1_000_000;

    /** One part of a job. */
    interface Part {
        void run(int part);
    }

    private final Thread[] helpers;
    private final AtomicInteger round = new AtomicInteger();
    private final AtomicInteger unfinished = new AtomicInteger();

    private volatile @Nullable Part job;
    private volatile @Nullable Throwable failure;
    private volatile boolean closed;

    Team(String name, int size) {
        helpers = new Thread[size - 1];
        for (int i = 0; i < helpers.length; i++) {
            int part = i + 1;
            helpers[i] = Thread.ofPlatform().daemon().name(name + "-" + part).start(() -> help(part));
        }
    }

    int size() {
        return helpers.length + 1;
    }

    /** Runs parts 0 to {@code size() - 1} of the job and returns when all are done. */
    void run(Part parts) {
        if (closed) {
            throw new IllegalStateException("this team of %d threads is closed".formatted(size()));
        }
        failure = null;
        job = parts;
        unfinished.set(helpers.length);
        round.incrementAndGet();
        for (Thread helper : helpers) {
            LockSupport.unpark(helper);
        }
        try {
            parts.run(0);
        } finally {
            await();
        }
        Throwable thrown = failure;
        if (thrown != null) {
            throw new IllegalStateException("a part of the computation failed", thrown);
        }
    }

    private void await() {
        for (int spins = 0; unfinished.get() > 0; spins++) {
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(this, PARK_NANOS / 10); // the helper only computes: it will come
            }
        }
    }

    private void help(int part) {
        int done = 0;
        while (true) {
            for (int spins = 0; round.get() == done; spins++) {
                if (closed) {
                    return;
                }
                if (spins < SPINS) {
                    Thread.onSpinWait();
                } else {
                    LockSupport.park(this);
                }
            }
            done++;
            try {
                Part current = job;
                if (current != null) {
                    current.run(part);
                }
            } catch (Throwable t) {
                failure = t;
            } finally {
                unfinished.decrementAndGet();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Thread helper : helpers) {
            LockSupport.unpark(helper);
        }
    }
}
