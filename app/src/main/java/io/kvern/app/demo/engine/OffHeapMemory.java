package io.kvern.app.demo.engine;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Slots in plain off-heap memory, for an engine that shares its KV with nobody. Freed with the object. */
public final class OffHeapMemory implements BlockMemory {
    private final int slots;
    private final int slotBytes;
    private final BlockingQueue<ByteBuffer> free;

    public OffHeapMemory(int slots, int slotBytes) {
        this.slots = slots;
        this.slotBytes = slotBytes;
        this.free = new ArrayBlockingQueue<>(slots);
        for (int i = 0; i < slots; i++) {
            free.add(ByteBuffer.allocateDirect(slotBytes));
        }
    }

    @Override
    public int slots() {
        return slots;
    }

    @Override
    public int slotBytes() {
        return slotBytes;
    }

    /** Slots that nobody holds now. */
    public int available() {
        return free.size();
    }

    @Override
    public @Nullable Slot take(long timeoutNanos) throws InterruptedException {
        ByteBuffer buffer = timeoutNanos > 0 ? free.poll(timeoutNanos, TimeUnit.NANOSECONDS) : free.poll();
        return buffer == null ? null : new PlainSlot(buffer);
    }

    private final class PlainSlot implements Slot {
        private final ByteBuffer buffer;
        private final AtomicBoolean released = new AtomicBoolean();

        PlainSlot(ByteBuffer buffer) {
            this.buffer = buffer;
        }

        @Override
        public ByteBuffer buffer() {
            return buffer.duplicate();
        }

        @Override
        public void release() {
            if (released.getAndSet(true)) {
                throw new IllegalStateException("slot of %d bytes released twice".formatted(slotBytes));
            }
            free.add(buffer);
        }
    }
}
