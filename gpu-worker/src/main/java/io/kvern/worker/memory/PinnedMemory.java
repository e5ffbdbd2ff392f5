package io.kvern.worker.memory;

import java.nio.ByteBuffer;

/**
 * Where slabs come from: the device driver, or plain host memory where there is no device. The pool calls it from one
 * thread at a time.
 */
public interface PinnedMemory {
    /** Largest slab in bytes: drivers and {@code ByteBuffer} alike count in ints, so a slab stays under 2 GiB. */
    int MAX_SLAB_BYTES = Integer.MAX_VALUE - 8191;

    /** What it is, in a few words for the log, such as {@code host memory (no device)}. */
    String description();

    /**
     * Takes one slab of exactly {@code bytes}, committed, readable and writable by any thread.
     *
     * @param bytes 1 to {@link #MAX_SLAB_BYTES}
     * @return a direct buffer over it; the caller hands the same object to {@link #free}
     * @throws io.kvern.model.KvernException where there is not as much; nothing is left allocated
     */
    ByteBuffer allocate(int bytes);

    /** Gives a slab back. No view of it may be used any more. */
    void free(ByteBuffer slab);
}
