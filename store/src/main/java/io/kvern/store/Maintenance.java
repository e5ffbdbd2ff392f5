package io.kvern.store;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that syncs, evicts, unlinks and writes to the index; and the places where others wait for it. */
final class Maintenance {
    private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);

    /** Entries in memory at which a sync point is due; at twice as many, writers wait for it. */
    static final int OVERLAY_ENTRIES = 64 << 10;

    /** Writers wait for the disk when so much payload is not synced, or four times what makes a sync point due. */
    private static final long UNSYNCED_BYTES = 256L << 20;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** After a failure nothing is evicted for so long: a disk that is broken would lose every segment to no use. */
    private static final long EVICTION_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A last sync point that takes longer than this hangs. */
    private static final Duration CLOSE_PATIENCE = Duration.ofMinutes(2);

    private final StoreCore core;
    private final SyncPoint syncPoint;
    private final Eviction eviction;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Semaphore work = new Semaphore(0);
    private final Condition synced = lock.newCondition();
    private List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private volatile boolean stopping;

    Maintenance(StoreCore core, SyncPoint syncPoint, Eviction eviction) {
        this.core = core;
        this.syncPoint = syncPoint;
        this.eviction = eviction;
        this.thread =
                Thread.ofPlatform().daemon().name("kvern-store-maintenance").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Room is needed, or something else should be looked at now. */
    void wake() {
        if (work.availablePermits() == 0) {
            work.release();
        }
    }

    /** The disk refused a write: what it has left is looked at before anything else is tried. */
    void diskRefused() {
        try {
            core.space.measure();
        } catch (IOException e) {
            LOG.warn("The file system does not tell its free space: {}", e.toString());
        }
        wake();
    }

    /** Something was applied. */
    void applied() {
        if (due()) {
            wake();
        }
    }

    private boolean due() {
        return core.unsyncedBytes.get() >= core.config.syncBytes() || core.overlay.size() >= OVERLAY_ENTRIES;
    }

    private boolean full() {
        return core.overlay.size() >= 2 * OVERLAY_ENTRIES
                || core.unsyncedBytes.get() >= Math.max(UNSYNCED_BYTES, 4 * core.config.syncBytes());
    }

    /** Called by writers outside of the gate. */
    void awaitRoomInOverlay() {
        if (!full()) {
            return;
        }
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        lock.lock();
        try {
            while (full()) {
                wake();
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new StoreFailedException("the disk has not taken a sync point for %d s; %d bytes wait"
                            .formatted(TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS), core.unsyncedBytes.get()));
                }
                synced.awaitNanos(Math.min(left, TICK_NANOS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailedException("interrupted while waiting for a sync point", e);
        } finally {
            lock.unlock();
        }
    }

    /** Asks for a sync point; does not wait. */
    CompletableFuture<Void> sync() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        lock.lock();
        try {
            if (stopping) {
                done.completeExceptionally(new StoreFailedException("the store is closed"));
                return done;
            }
            waiting.add(done);
        } finally {
            lock.unlock();
        }
        wake();
        return done;
    }

    void sync(Duration deadline) {
        try {
            sync().get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailedException("interrupted while waiting for a sync point", e);
        } catch (ExecutionException e) {
            throw new StoreFailedException("the sync point failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new StoreFailedException("the sync point was not reached within " + deadline.toMillis() + " ms", e);
        }
    }

    private void run() {
        long lastSync = System.nanoTime();
        long evictFrom = lastSync;
        while (true) {
            List<CompletableFuture<Void>> asked = awaitWork(lastSync);
            boolean last = stopping;
            try {
                expireIdlePartials();
                long now = System.nanoTime();
                if (last
                        || !asked.isEmpty()
                        || due()
                        || now - lastSync >= core.config.syncInterval().toNanos()) {
                    syncPoint.run(List.of(), List.of());
                    lastSync = System.nanoTime();
                }
                asked.forEach(done -> done.complete(null));
                if (!last && System.nanoTime() - evictFrom >= 0) {
                    eviction.makeRoom();
                }
            } catch (Exception | Error e) {
                failed(e, asked);
                lastSync = System.nanoTime();
                evictFrom = lastSync + EVICTION_PAUSE_NANOS;
            }
            signalSynced();
            if (last) {
                return;
            }
        }
    }

    private List<CompletableFuture<Void>> awaitWork(long lastSync) {
        long untilSync = lastSync + core.config.syncInterval().toNanos() - System.nanoTime();
        try {
            if (work.tryAcquire(
                    Math.clamp(untilSync, TimeUnit.MILLISECONDS.toNanos(1), TICK_NANOS), TimeUnit.NANOSECONDS)) {
                work.drainPermits();
            }
        } catch (InterruptedException e) {
            // Nobody interrupts this thread; a closing store says so by its flag.
            LOG.debug("Interrupted", e);
        }
        lock.lock();
        try {
            List<CompletableFuture<Void>> asked = waiting;
            waiting = new ArrayList<>();
            return asked;
        } finally {
            lock.unlock();
        }
    }

    private void expireIdlePartials() {
        long now = core.nanoClock.getAsLong();
        for (StorePartition partition : core.attached()) {
            core.counters.expiredPartials.add(partition.partials().expireIdle(now));
        }
    }

    /** Never retried: after a failed sync nobody knows what is on disk. */
    private void failed(Throwable failure, List<CompletableFuture<Void>> asked) {
        core.counters.syncFailures.increment();
        LOG.error("A sync point failed; what was not durable is withdrawn, and its records must come again", failure);
        try {
            core.withdraw();
        } catch (RuntimeException e) {
            LOG.error("Withdrawing failed, too", e);
        }
        core.space.nothingToEvict(core.space.asked());
        asked.forEach(done -> done.completeExceptionally(failure));
    }

    private void signalSynced() {
        lock.lock();
        try {
            synced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends with a last sync point.
     *
     * @return false where the disk hangs: nothing that the thread uses may be closed
     */
    boolean stop() throws InterruptedException {
        lock.lock();
        try {
            stopping = true;
        } finally {
            lock.unlock();
        }
        wake();
        if (!thread.join(CLOSE_PATIENCE)) {
            return false;
        }
        lock.lock();
        try {
            waiting.forEach(
                    done -> done.completeExceptionally(new StoreFailedException("the store was closed meanwhile")));
        } finally {
            lock.unlock();
        }
        return true;
    }
}
