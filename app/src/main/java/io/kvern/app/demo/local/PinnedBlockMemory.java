package io.kvern.app.demo.local;

import io.kvern.app.demo.engine.BlockMemory;
import io.kvern.worker.memory.PinnedLease;
import io.kvern.worker.memory.PinnedPool;
import io.kvern.worker.memory.PoolExhaustedException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The engine's KV pool in pinned slots. */
record PinnedBlockMemory(PinnedPool pool) implements BlockMemory {
    /** A slot of the pool in the engine's hands. */
    record PinnedSlot(PinnedLease lease) implements Slot {
        @Override
        public ByteBuffer buffer() {
            return lease.buffer();
        }

        @Override
        public void release() {
            lease.release();
        }
    }

    @Override
    public int slots() {
        return pool.slots();
    }

    @Override
    public int slotBytes() {
        return pool.slotBytes();
    }

    @Override
    public @Nullable Slot take(long timeoutNanos) throws InterruptedException {
        try {
            return new PinnedSlot(pool.lease(Duration.ofNanos(timeoutNanos)));
        } catch (PoolExhaustedException e) {
            return null;
        }
    }
}
