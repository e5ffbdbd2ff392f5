package io.kvern.worker.memory;

import com.sun.management.OperatingSystemMXBean;
import io.kvern.model.InvalidInputException;
import io.kvern.model.KvernException;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;

/**
 * Plain off-heap memory, for hosts without a device. Each slab has an arena of its own, so that a view used after the slab
 * went throws instead of reading what came after it. Never more than the machine or container has: without that check the
 * kernel would promise any amount, and kill the process when it is touched.
 */
public final class HostMemory implements PinnedMemory {
    private final IdentityHashMap<ByteBuffer, Arena> arenas = new IdentityHashMap<>();
    private final long limitBytes;
    private long allocatedBytes;

    public HostMemory() {
        this(ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize());
    }

    HostMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    @Override
    public String description() {
        return "host memory, not pinned";
    }

    @Override
    public synchronized ByteBuffer allocate(int bytes) {
        if (bytes < 1 || bytes > MAX_SLAB_BYTES) {
            throw new InvalidInputException(
                    "a slab of %d bytes was asked for; 1 to %d are allowed".formatted(bytes, MAX_SLAB_BYTES));
        }
        if (bytes > limitBytes - allocatedBytes) {
            throw new KvernException(
                    "the pool needs %d bytes more, beside %d that it has; this machine or container has %d in all (the pool's size)"
                            .formatted(bytes, allocatedBytes, limitBytes));
        }
        Arena arena = Arena.ofShared();
        try {
            ByteBuffer slab = arena.allocate(bytes, PinnedPool.ALIGNMENT).asByteBuffer();
            arenas.put(slab, arena);
            allocatedBytes += bytes;
            return slab;
        } catch (OutOfMemoryError e) {
            // Not the heap but malloc: nothing was allocated, and the JVM is well.
            arena.close();
            throw new KvernException(
                    "no %d bytes of host memory for the pool (the pool's size): %s".formatted(bytes, e.getMessage()),
                    e);
        }
    }

    @Override
    public synchronized void free(ByteBuffer slab) {
        Arena arena = arenas.remove(slab);
        if (arena == null) {
            throw new IllegalStateException(
                    "a slab of %d bytes is not one of ours, or was freed".formatted(slab.capacity()));
        }
        arena.close();
        allocatedBytes -= slab.capacity();
    }
}
