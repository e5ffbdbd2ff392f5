package io.kvern.app.e2e;

import io.kvern.model.Namespace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * A block whose bytes follow from its whole identity, so that any mix-up shows.
 *
 * @param version tells two contents of one id apart
 */
record Payload(Namespace namespace, String id, int length, int version) {
    /** A direct buffer with the block's bytes, ready to be read. */
    ByteBuffer bytes() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
        fill(bytes);
        return bytes.flip();
    }

    private void fill(ByteBuffer bytes) {
        SplittableRandom random = new SplittableRandom(
                namespace.fingerprint().low() ^ (31L * id.hashCode() + version) ^ ((long) length << 32));
        while (bytes.remaining() >= Long.BYTES) {
            bytes.putLong(random.nextLong());
        }
        while (bytes.hasRemaining()) {
            bytes.put((byte) random.nextInt());
        }
    }

    /** Whether the buffer's bytes from 0 to its length are exactly this block's. */
    boolean equalsBytes(ByteBuffer loaded) {
        return loaded.limit() == length && bytes().mismatch(loaded.duplicate().position(0)) < 0;
    }
}
