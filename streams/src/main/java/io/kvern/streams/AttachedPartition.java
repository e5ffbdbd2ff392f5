package io.kvern.streams;

import io.kvern.store.PartitionHandle;
import java.time.Duration;
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
    private volatile long logStart;

    /** Up to here, not including, the group has committed while this node owned the partition. */
    private volatile long committed = UNKNOWN;

    private volatile long end = UNKNOWN;

    /** When {@link #end} was asked for, and when the partition was taken over: only what is asked later tells of it. */
    private volatile long endAskedNanos = System.nanoTime();

    private volatile long takenNanos = System.nanoTime();

    /** Whether the log was seen to have lost its end, or records that were not applied. */
    private volatile boolean logLost;

    /** When a record was applied last, or the log had none that was not applied. */
    private volatile long movedNanos = System.nanoTime();

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
            takenNanos = System.nanoTime();
            committed = UNKNOWN;
            endAtAssignment = UNKNOWN;
            askLog.run();
        }
        active = owned;
        signal();
    }

    /**
     * What the log answered.
     *
     * @param askedNanos when it was asked, as {@link System#nanoTime()} tells
     * @param appliedThen what {@link PartitionHandle#applied()} was when it was asked
     */
    void logIs(LogBounds bounds, long askedNanos, long appliedThen) {
        long logEnd = bounds.end();
        long done = active ? Math.max(appliedThen, committed - 1) : appliedThen;
        if (appliedThen != PartitionHandle.NONE && (appliedThen >= logEnd || bounds.start() > done + 1)) {
            logLost = true;
        }
        logStart = bounds.start();
        // In this order: who sees the new time sees an end at least as new.
        end = logEnd;
        endAskedNanos = askedNanos;
        if (lag() == 0) {
            movedNanos = Math.max(movedNanos, askedNanos);
        }
        if (endAtAssignment == UNKNOWN && askedNanos - takenNanos >= 0) {
            endAtAssignment = logEnd;
        }
        signal();
    }

    /** The log does not go on where the last record was: what stands in the store may be stale. */
    void logBroke() {
        logLost = true;
        signal();
    }

    /**
     * Called in the thread that applies, before it does. Where the log has lost records, at its end or before they were
     * applied, what was applied says nothing any more: it is forgotten.
     *
     * @throws LogLostException if it was
     */
    void forgetLostLog() {
        if (!logLost) {
            return;
        }
        String what = "the log of partition %d does not go on behind offset %d, the last one applied"
                .formatted(partition(), handle.applied());
        handle.forget();
        throw new LogLostException(what);
    }

    /** The log's end if it was asked for at {@code sinceNanos} or later; -1 where that has not been answered yet. */
    long endAskedSince(long sinceNanos) {
        return endAskedNanos - sinceNanos >= 0 ? end : UNKNOWN;
    }

    /** Whether everything below {@code logEnd} that the log still has is applied. */
    boolean appliedUpTo(long logEnd) {
        return logEnd != UNKNOWN && nextToApply() >= logEnd;
    }

    /**
     * What the group has committed. It may be more than what was applied: Streams hands no record without a key to a
     * restore, and none that marks a transaction to anybody.
     *
     * @param next offset of the first record that the group has not processed
     */
    void groupIsAt(long next) {
        if (active) {
            committed = next;
            if (lag() == 0) {
                movedNanos = System.nanoTime();
            }
            signal();
        }
    }

    private long nextToApply() {
        return Math.max(Math.max(handle.applied() + 1, logStart), active ? committed : UNKNOWN);
    }

    /** Whether the record at {@code offset} of the log as it is now has been applied. */
    boolean applied(long offset) {
        return !logLost && handle.applied() >= offset;
    }

    /** Whether records were applied, or none were left to apply, within {@code silence}: else nobody feeds this partition. */
    boolean moving(Duration silence) {
        return System.nanoTime() - movedNanos <= silence.toNanos();
    }

    /** Whether everything that stood in the log at assignment has been applied. */
    boolean caughtUp() {
        return !logLost && appliedUpTo(endAtAssignment);
    }

    /** Records between the last one applied and the log's end as last seen; -1 where that is unknown. */
    long lag() {
        return end == UNKNOWN ? UNKNOWN : Math.max(0, end - nextToApply());
    }

    /** A record was applied. */
    void advanced() {
        movedNanos = System.nanoTime();
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
