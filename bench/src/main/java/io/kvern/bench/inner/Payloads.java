package io.kvern.bench.inner;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Bytes that do not compress, the same in each run. */
final class Payloads {
    private static final long SEED = 42;

    private Payloads() {}

    /** Off the heap, as an engine's pinned memory is. */
    static ByteBuffer direct(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(SEED).nextBytes(bytes);
        return ByteBuffer.allocateDirect(length).put(bytes).flip();
    }
}
