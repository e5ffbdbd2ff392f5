package io.kvern.bench.replay;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The bytes of a block, as its identity alone decides them: words of SplitMix64, seeded by hash id and length. Two blocks
 * have no word in common at the same place, but for chance.
 *
 * @param length in bytes, 1 or more
 * @param salt another salt is other bytes under the same ids
 */
record BlockPattern(int length, long salt) {
    private static final long STEP = 0x9e3779b97f4a7c15L;

    /** Fills the first {@link #length} bytes. */
    void fill(long hashId, ByteBuffer block) {
        ByteBuffer to = block.slice(0, length).order(ByteOrder.LITTLE_ENDIAN);
        long state = seed(hashId);
        int at = 0;
        for (; at <= length - Long.BYTES; at += Long.BYTES) {
            state += STEP;
            to.putLong(at, mix(state));
        }
        for (long last = mix(state + STEP); at < length; at++, last >>>= Byte.SIZE) {
            to.put(at, (byte) last);
        }
    }

    /** Whether the first {@link #length} bytes are those of this id, every one. */
    boolean isIn(long hashId, ByteBuffer block) {
        ByteBuffer from = block.slice(0, length).order(ByteOrder.LITTLE_ENDIAN);
        long state = seed(hashId);
        long different = 0;
        int at = 0;
        for (; at <= length - Long.BYTES; at += Long.BYTES) {
            state += STEP;
            different |= from.getLong(at) ^ mix(state);
        }
        for (long last = mix(state + STEP); at < length; at++, last >>>= Byte.SIZE) {
            different |= (from.get(at) ^ last) & 0xff;
        }
        return different == 0;
    }

    private long seed(long hashId) {
        return mix(mix(hashId) + length + salt * STEP);
    }

    private static long mix(long word) {
        long mixed = (word ^ (word >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
