package io.kvern.worker.load;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where lanes report to a batch, and where its thread waits. Holds at most one report per block. The waiting thread is woken
 * where there is something to decide, or nothing left to wait for, but not for every block that arrives.
 */
final class Inbox {
    record Report(BlockTask task, Outcome outcome) {}

    private final int blocks;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Report> reports = new ArrayDeque<>();
    /** Blocks whose end is reported or decided. */
    private int settled;

    private boolean urgent;

    Inbox(int blocks) {
        this.blocks = blocks;
    }

    /** @param last whether the outcome is the block's end */
    void report(BlockTask task, Outcome outcome, boolean last) {
        lock.lock();
        try {
            reports.addLast(new Report(task, outcome));
            if (last) {
                settled++;
            } else {
                urgent = true;
            }
            if (urgent || settled == blocks) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Counts a block as ended that nobody reports. */
    void settle() {
        lock.lock();
        try {
            settled++;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a report needs a decision, {@code dueAt} comes, every block has ended, or the deadline passes.
     *
     * @return false in the last two cases; reports may be left
     */
    boolean await(long deadlineAt, long dueAt) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long now = System.nanoTime();
            while (!urgent && settled < blocks && deadlineAt - now > 0 && dueAt - now > 0) {
                changed.awaitNanos(Math.min(deadlineAt - now, dueAt - now));
                now = System.nanoTime();
            }
            urgent = false;
            return settled < blocks && deadlineAt - now > 0;
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    Report poll() {
        lock.lock();
        try {
            return reports.pollFirst();
        } finally {
            lock.unlock();
        }
    }
}
