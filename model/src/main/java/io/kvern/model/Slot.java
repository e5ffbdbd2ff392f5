package io.kvern.model;

/**
 * The hash slot of a block id, as Redis Cluster computes it, so that cluster clients route to the right node:
 * CRC16/XMODEM of the id, or of its non-empty {@code {tag}}, modulo 16384 (Redis Cluster specification, "Hash tags").
 */
public final class Slot {
    /** Number of slots. */
    public static final int COUNT = 16384;

    private static final int[] CRC16 = new int[256];

    static {
        for (int i = 0; i < 256; i++) {
            int crc = i << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
            }
            CRC16[i] = crc & 0xffff;
        }
    }

    private Slot() {}

    /** The slot of {@code id}, 0 to 16383. */
    public static int of(BlockId id) {
        byte[] bytes = id.array();
        int open = indexOf(bytes, '{', 0);
        if (open >= 0) {
            int close = indexOf(bytes, '}', open + 1);
            if (close > open + 1) {
                return crc16(bytes, open + 1, close) % COUNT;
            }
        }
        return crc16(bytes, 0, bytes.length) % COUNT;
    }

    private static int indexOf(byte[] bytes, char wanted, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static int crc16(byte[] bytes, int from, int to) {
        int crc = 0;
        for (int i = from; i < to; i++) {
            crc = ((crc << 8) ^ CRC16[((crc >>> 8) ^ bytes[i]) & 0xff]) & 0xffff;
        }
        return crc;
    }
}
