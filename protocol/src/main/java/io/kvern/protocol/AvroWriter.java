package io.kvern.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes one event in Avro's single-object encoding into an array of exactly its length.
 *
 * <pre>
 *  0    1    2                     10
 *  +----+----+---------------------+----------------------------+
 *  | C3 | 01 | schema fingerprint  | body, Avro binary encoding |
 *  |         | CRC-64-AVRO, i64 LE |                            |
 *  +----+----+---------------------+----------------------------+
 * </pre>
 */
final class AvroWriter {
    static final int MARKER_0 = 0xC3;
    static final int MARKER_1 = 0x01;

    /** Marker and fingerprint. */
    static final int PREFIX_BYTES = 2 + Long.BYTES;

    private static final VarHandle LONG_LE =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG_BE = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] bytes;
    private int at;

    /** @param length of the whole event in bytes, exactly */
    AvroWriter(EventSchema schema, int length) {
        bytes = new byte[length];
        bytes[0] = (byte) MARKER_0;
        bytes[1] = MARKER_1;
        LONG_LE.set(bytes, 2, schema.fingerprint());
        at = PREFIX_BYTES;
    }

    /** Bytes that {@link #number} writes for {@code value}. */
    static int size(long value) {
        return (70 - Long.numberOfLeadingZeros(zigzag(value) | 1)) / 7;
    }

    /** An int or a long (the same on the wire), an enum's or a union's index, a length, an array's count. */
    void number(long value) {
        long rest = zigzag(value);
        while ((rest & ~0x7FL) != 0) {
            bytes[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at++] = (byte) rest;
    }

    /** A fixed of 16 bytes. */
    void fixed(long high, long low) {
        LONG_BE.set(bytes, at, high);
        LONG_BE.set(bytes, at + Long.BYTES, low);
        at += 2 * Long.BYTES;
    }

    /** Bytes with their length in front; the source's position stays. */
    void bytes(ByteBuffer source) {
        int length = source.remaining();
        number(length);
        source.get(source.position(), bytes, at, length);
        at += length;
    }

    /** The length of bytes that somebody else will put behind it. */
    void gap(int length) {
        number(length);
        at += length;
    }

    /** The finished event. */
    byte[] finish() {
        if (at != bytes.length) {
            throw new IllegalStateException(
                    "event was measured as %d bytes and written as %d".formatted(bytes.length, at));
        }
        return bytes;
    }

    private static long zigzag(long value) {
        return (value << 1) ^ (value >> 63);
    }
}
