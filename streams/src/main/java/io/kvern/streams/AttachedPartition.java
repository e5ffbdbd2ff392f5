package io.kvern.streams;

import io.kvern.store.PartitionHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * One partition on this node: its handle on the store, and what is known of how far behind the log it is. Records are
 * applied by one Streams thread at a time; everything else comes from any thread.
 */
final class AttachedPartition {
    private static final long UNKNOWN = -1;

    private final PartitionHandle handle;
    private final Runnable askLog;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();

    private volatile boolean active;
    private volatile long endAtAssignment = UNKNOWN;
    private volatile boolean emptyAtAssignment;
    private volatile long end = UNKNOWN;
    private volatile boolean closed;
    private final AtomicInteger waiters = new AtomicInteger();

    /**
     * @param askLog called when the log's end should be asked for soon
     */
    AttachedPartition(PartitionHandle handle, Runnable askLog) {
        this.handle = handle;
        this.askLog = askLog;
    }

    PartitionHandle handle() {
        return handle;
    }

    int partition() {
        return handle.partition();
    }

    /** Whether this node owns the partition; otherwise it is a standby, or not yet decided. */
    boolean active() {
        return active;
    }

    void setActive(boolean owned) {
        if (owned && !active) {
            // The log went on while somebody else owned the partition: what counts is its end from now on.
            endAtAssignment = UNKNOWN;
            askLog.run();
        }
        active = owned;
        signal();
    }

    /** What the log answered: offsets from {@code start} up to, not including, {@code logEnd}. */
    void logIs(long start, long logEnd) {
        end = logEnd;
        if (endAtAssignment == UNKNOWN) {
            emptyAtAssignment = start >= logEnd;
            endAtAssignment = logEnd;
            signal();
        }
    }

    /** Whether everything that stood in the log at assignment has been applied. */
    boolean caughtUp() {
        return endAtAssignment != UNKNOWN && (emptyAtAssignment || handle.applied() >= endAtAssignment - 1);
    }

    /** Records between the last one applied and the log's end as last seen; -1 where that is unknown. */
    long lag() {
        return end == UNKNOWN ? UNKNOWN : Math.max(0, end - 1 - handle.applied());
    }

    /** A record was applied. */
    void advanced() {
        if (waiters.get() > 0) {
            signal();
        }
    }

    /** Waits until {@code condition} holds or the partition is closed; answers whether it holds. */
    boolean await(BooleanSupplier condition, long deadlineNanos) throws InterruptedException {
        if (condition.getAsBoolean()) {
            return true;
        }
        lock.lock();
        try {
            waiters.incrementAndGet();
            while (!condition.getAsBoolean()) {
                long left = deadlineNanos - System.nanoTime();
                if (closed || left <= 0) {
                    return false;
                }
                // Contact with Kafka ages without a signal, and a writer may just miss the waiter: look again now and
                // then.
                moved.await(Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)), TimeUnit.NANOSECONDS);
            }
            return true;
        } finally {
            waiters.decrementAndGet();
            lock.unlock();
        }
    }

    void close() {
        closed = true;
        active = false;
        signal();
        handle.close();
    }

    private void signal() {
        lock.lock();
        try {
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
