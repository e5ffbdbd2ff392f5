package io.kvern.model;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C (Castagnoli) of blocks and chunks, and the sum of two runs from the sums of its halves. */
public final class Crc32c {
    /** The Castagnoli polynomial, bit-reversed. */
    private static final int POLYNOMIAL = 0x82F63B78;

    /** {@code POWERS[k]} is x^(8 * 2^k) modulo the polynomial: appending 2^k zero bytes multiplies by it. */
    private static final int[] POWERS = new int[31];

    static {
        int power = 0x80000000 >>> 8; // x^8
        for (int k = 0; k < POWERS.length; k++) {
            POWERS[k] = power;
            power = multiply(power, power);
        }
    }

    private Crc32c() {}

    /** Of the remaining bytes; the buffer's position stays. */
    public static int of(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    /** Of a whole segment, which may be larger than 2 GiB. */
    public static int of(MemorySegment bytes) {
        CRC32C crc = new CRC32C();
        long step = 1 << 30;
        for (long at = 0; at < bytes.byteSize(); at += step) {
            crc.update(bytes.asSlice(at, Math.min(step, bytes.byteSize() - at)).asByteBuffer());
        }
        return (int) crc.getValue();
    }

    /**
     * The CRC of a run of bytes followed by another, without reading either.
     *
     * @param first CRC of the first run
     * @param second CRC of the second run
     * @param secondLength length of the second run in bytes, 0 or more
     */
    public static int combine(int first, int second, int secondLength) {
        int crc = first;
        for (int k = 0, rest = secondLength; rest != 0; k++, rest >>>= 1) {
            if ((rest & 1) != 0) {
                crc = multiply(crc, POWERS[k]);
            }
        }
        return crc ^ second;
    }

    /** The product of two polynomials over GF(2), bit-reversed (bit 31 is x^0), modulo the CRC's polynomial. */
    private static int multiply(int a, int b) {
        int product = 0;
        for (int bit = 0; bit < 32; bit++) {
            if ((a & (0x80000000 >>> bit)) != 0) {
                product ^= b;
            }
            b = (b & 1) != 0 ? (b >>> 1) ^ POLYNOMIAL : b >>> 1;
        }
        return product;
    }
}
