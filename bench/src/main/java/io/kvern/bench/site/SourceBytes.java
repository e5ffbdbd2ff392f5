package io.kvern.bench.site;

import java.nio.ByteBuffer;
import java.util.Random;

/** Bytes to send: random, so that nothing can compress them or tell them apart by luck; the same for every contender. */
public final class SourceBytes {
    private static final int BYTES = 64 << 20;
    private static final int STEP = 4096;

    private final ByteBuffer direct = ByteBuffer.allocateDirect(BYTES);

    public SourceBytes() {
        Random random = new Random(20);
        while (direct.hasRemaining()) {
            direct.putLong(random.nextLong());
        }
        direct.clear();
    }

    /** {@code length} bytes of direct memory, another run of them for each {@code index}; read-only by custom. */
    public ByteBuffer slice(long index, int length) {
        int places = (BYTES - length) / STEP + 1;
        return direct.slice((int) (index * 31 % places) * STEP, length);
    }

    /** The same on the heap, as a record's value comes from Kafka. */
    public byte[] copy(long index, int length) {
        byte[] bytes = new byte[length];
        slice(index, length).get(bytes);
        return bytes;
    }
}
