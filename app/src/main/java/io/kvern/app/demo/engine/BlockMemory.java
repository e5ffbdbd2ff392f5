package io.kvern.app.demo.engine;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The KV pool's memory: a fixed number of equal slots. Safe for use by many threads. */
public interface BlockMemory {
    /** One slot, in the hands of whoever took it, or of whoever it was handed to. */
    interface Slot {
        /** The slot's bytes, position 0, limit at least the block length. Valid until {@link #release}. */
        ByteBuffer buffer();

        /** The slot as the memory handed it out, where this one wraps it. */
        default Slot origin() {
            return this;
        }

        /** Gives the slot back, once, from any thread. Nobody may touch the buffer from here on. */
        void release();
    }

    /** How many slots there are, taken ones included. */
    int slots();

    /** Size of each slot in bytes. */
    int slotBytes();

    /**
     * Takes a slot; what it holds is undefined.
     *
     * @param timeoutNanos how long to wait for one, 0 for not at all
     * @return null when none was free in time
     */
    @Nullable
    Slot take(long timeoutNanos) throws InterruptedException;
}
