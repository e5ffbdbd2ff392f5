package io.kvern.worker.memory;

import io.kvern.model.InvalidInputException;
import io.kvern.model.KvernException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;

/**
 * Plain off-heap memory, for hosts without a device. Each slab has an arena of its own, so that a view used after the slab
 * went throws instead of reading what came after it.
 */
public final class HostMemory implements PinnedMemory {
    private final IdentityHashMap<ByteBuffer, Arena> arenas = new IdentityHashMap<>();

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
        Arena arena = Arena.ofShared();
        try {
            ByteBuffer slab = arena.allocate(bytes, PinnedPool.ALIGNMENT).asByteBuffer();
            arenas.put(slab, arena);
            return slab;
        } catch (OutOfMemoryError e) {
            // Not the heap: the JVM's limit of direct memory, or malloc. Nothing was allocated, and the JVM is well.
            arena.close();
            throw new KvernException(
                    "no %d bytes of host memory for the pool (its size, or -XX:MaxDirectMemorySize): %s"
                            .formatted(bytes, e.getMessage()),
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
    }
}
