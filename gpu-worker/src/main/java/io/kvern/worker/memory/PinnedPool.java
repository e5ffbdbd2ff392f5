package io.kvern.worker.memory;

import io.kvern.model.InvalidInputException;
import io.kvern.model.Limits;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed number of equal slots of pinned memory, handed out as counted leases. All of it is taken at {@link #open} and
 * held until {@link #close()}; nothing grows. Safe in any thread.
 *
 * <pre>
 * slab (under 2 GiB)   | slot 0      | pad | slot 1      | pad | …      each slot starts at a multiple of 4 KiB
 * </pre>
 */
public final class PinnedPool implements AutoCloseable {
    /** Where slots start, in bytes: a page, which is what direct I/O and devices ask for. */
    public static final int ALIGNMENT = 4096;

    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(PinnedPool.class);

    /** One slot; {@code bytes} spans it exactly. */
    record Slot(int index, ByteBuffer bytes) {}

    private final PinnedMemory memory;
    private final List<ByteBuffer> slabs;
    private final int slots;
    private final int slotBytes;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Last in, first out: the slot that came back last is the warmest. */
    private final ArrayDeque<Slot> free;

    private boolean closed;
    private boolean freed;

    private PinnedPool(PinnedMemory memory, List<ByteBuffer> slabs, ArrayDeque<Slot> free, int slotBytes) {
        this.memory = memory;
        this.slabs = slabs;
        this.free = free;
        this.slots = free.size();
        this.slotBytes = slotBytes;
    }

    /**
     * Takes the memory for {@code slots} slots.
     *
     * @param slotBytes size of one slot: that of the largest block it shall hold, 1 byte to 1 GiB
     * @param slots how many, at least 1
     * @throws io.kvern.model.KvernException where the memory is not there; what was taken of it is given back
     */
    public static PinnedPool open(PinnedMemory memory, int slotBytes, int slots) {
        if (slotBytes < 1 || slotBytes > Limits.MAX_BLOCK_BYTES) {
            throw new InvalidInputException("slots of %d bytes were asked for; 1 to %d are allowed"
                    .formatted(slotBytes, Limits.MAX_BLOCK_BYTES));
        }
        if (slots < 1) {
            throw new InvalidInputException("a pool of %d slots was asked for; at least 1 is needed".formatted(slots));
        }
        int stride = (slotBytes + ALIGNMENT - 1) & -ALIGNMENT;
        // Room for a slab that does not start at a page.
        int perSlab = (PinnedMemory.MAX_SLAB_BYTES - ALIGNMENT) / stride;
        List<ByteBuffer> slabs = new ArrayList<>();
        ArrayDeque<Slot> cut = new ArrayDeque<>(slots);
        try {
            while (cut.size() < slots) {
                int here = Math.min(perSlab, slots - cut.size());
                ByteBuffer slab = memory.allocate(here * stride + ALIGNMENT);
                slabs.add(slab);
                int past = slab.alignmentOffset(0, ALIGNMENT);
                int start = past == 0 ? 0 : ALIGNMENT - past;
                for (int i = 0; i < here; i++) {
                    cut.add(new Slot(cut.size(), slab.slice(start + i * stride, slotBytes)));
                }
            }
        } catch (RuntimeException e) {
            slabs.forEach(memory::free);
            throw e;
        }
        LOG.info(
                "pinned pool: {}, {} slots of {} bytes in {} slabs, {} MiB",
                memory.description(),
                slots,
                slotBytes,
                slabs.size(),
                ((long) slots * stride) >> 20);
        return new PinnedPool(memory, slabs, cut, slotBytes);
    }

    /**
     * A free slot, or null where there is none now. Its bytes are whatever the last holder left.
     *
     * @throws IllegalStateException once the pool is closed
     */
    public @Nullable PinnedLease tryLease() {
        lock.lock();
        try {
            refuseWhenClosed();
            Slot slot = free.pollLast();
            return slot == null ? null : new PinnedLease(this, slot);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A free slot, waited for if need be.
     *
     * @param patience how long at most; zero or less asks once
     * @throws PoolExhaustedException where none came free in time
     * @throws IllegalStateException once the pool is closed, also while waiting
     */
    public PinnedLease lease(Duration patience) throws InterruptedException {
        long left = TimeUnit.NANOSECONDS.convert(patience);
        lock.lockInterruptibly();
        try {
            while (true) {
                refuseWhenClosed();
                Slot slot = free.pollLast();
                if (slot != null) {
                    return new PinnedLease(this, slot);
                }
                if (left <= 0) {
                    throw new PoolExhaustedException(
                            "no slot came free in %d ms: all %d slots of %d bytes are leased (the pool's number of slots)"
                                    .formatted(patience.toMillis(), slots, slotBytes));
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void refuseWhenClosed() {
        if (closed) {
            throw new IllegalStateException("the pinned pool is closed");
        }
    }

    void giveBack(Slot slot) {
        lock.lock();
        try {
            free.addLast(slot);
            if (closed) {
                changed.signalAll();
                freeWhenIdle();
            } else {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Size of every slot in bytes. */
    public int slotBytes() {
        return slotBytes;
    }

    /** Number of slots, leased or not. */
    public int slots() {
        return slots;
    }

    /** Number of slots that somebody holds now. */
    public int leased() {
        lock.lock();
        try {
            return slots - free.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * No lease is given out from now on; waits 5 s for those that are out, then frees the memory.
     *
     * @throws IllegalStateException where some are still out. Their memory stays as it is until the last one is released,
     *     which then frees it.
     */
    @Override
    public void close() {
        close(CLOSE_PATIENCE);
    }

    /** As {@link #close()}, waiting at most {@code patience}. */
    public void close(Duration patience) {
        long left = TimeUnit.NANOSECONDS.convert(patience);
        boolean interrupted = false;
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            while (free.size() < slots && left > 0 && !interrupted) {
                try {
                    left = changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            freeWhenIdle();
            if (!freed) {
                throw new IllegalStateException(
                        "%d of %d slots are still leased after %d ms; the pool gives no more out, and its memory goes with the last of them"
                                .formatted(slots - free.size(), slots, patience.toMillis()));
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void freeWhenIdle() {
        if (!freed && free.size() == slots) {
            freed = true;
            slabs.forEach(memory::free);
        }
    }
}
