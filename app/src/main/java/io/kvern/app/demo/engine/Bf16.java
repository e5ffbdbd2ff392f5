package io.kvern.app.demo.engine;

/** The upper half of a float: 8 bits of exponent, 7 of mantissa. */
final class Bf16 {
    /** Size of one element. */
    static final int BYTES = 2;

    private Bf16() {}

    /** Rounds to nearest, ties to even; what is too large becomes infinite; a NaN stays one. */
    static short of(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) (bits >>> 16 | 0x40); // quiet, since the set bits may all be in the lost half
        }
        return (short) ((bits + 0x7fff + (bits >>> 16 & 1)) >>> 16);
    }

    /** Exact. */
    static float toFloat(short bf16) {
        return Float.intBitsToFloat(bf16 << 16);
    }
}
