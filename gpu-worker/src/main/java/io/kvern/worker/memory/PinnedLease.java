package io.kvern.worker.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * One slot of a {@link PinnedPool} in somebody's hands, counted: it starts with one holder, {@link #retain()} adds one,
 * {@link #release()} takes one away, and the last one gives the slot back. Methods are safe in any thread; the bytes are
 * whoever's holds the lease, and are ordered between threads by what hands the lease over.
 *
 * <p>A view taken from {@link #buffer()} must not be used after the release of the holder that took it: the slot may be
 * another block's by then. The lease itself never comes alive again, so a stale one cannot reach the next holder's slot.
 */
public final class PinnedLease implements AutoCloseable {
    private static final VarHandle HOLDERS;

    static {
        try {
            HOLDERS = MethodHandles.lookup().findVarHandle(PinnedLease.class, "holders", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final PinnedPool pool;
    private final PinnedPool.Slot slot;

    private volatile int holders = 1;

    PinnedLease(PinnedPool pool, PinnedPool.Slot slot) {
        this.pool = pool;
        this.slot = slot;
    }

    /**
     * A fresh view of the slot: position 0, limit and capacity the slot's size, big-endian. It reaches no other slot.
     *
     * @throws IllegalStateException after the last release
     */
    public ByteBuffer buffer() {
        if (holders == 0) {
            throw released("use");
        }
        return slot.bytes().slice();
    }

    /** Size of the slot in bytes. */
    public int capacity() {
        return slot.bytes().capacity();
    }

    /**
     * Adds a holder, who releases it later.
     *
     * @throws IllegalStateException after the last release
     */
    public PinnedLease retain() {
        int now = holders;
        while (now > 0) {
            int seen = (int) HOLDERS.compareAndExchange(this, now, now + 1);
            if (seen == now) {
                return this;
            }
            now = seen;
        }
        throw released("retain");
    }

    /**
     * Takes a holder away; the last one gives the slot back to the pool.
     *
     * @throws IllegalStateException where every holder has released already: one of them did so twice
     */
    public void release() {
        int now = holders;
        while (now > 0) {
            int seen = (int) HOLDERS.compareAndExchange(this, now, now - 1);
            if (seen == now) {
                if (now == 1) {
                    pool.giveBack(slot);
                }
                return;
            }
            now = seen;
        }
        throw released("release");
    }

    /** The same as {@link #release()}, for a holder that lives in a block. */
    @Override
    public void close() {
        release();
    }

    private IllegalStateException released(String what) {
        return new IllegalStateException(
                "%s of slot %d after its lease was released by every holder".formatted(what, slot.index()));
    }

    @Override
    public String toString() {
        return "PinnedLease[slot=%d, bytes=%d, holders=%d]".formatted(slot.index(), capacity(), holders);
    }
}
