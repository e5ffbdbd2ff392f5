package io.kvern.app.demo.engine;

import java.util.Arrays;

/**
 * The arithmetic. Every element of a result is a sum in one fixed order, whatever the number of tokens at once, the
 * thread, or the range of columns: that is what makes logits of a loaded prefix equal bit for bit to recomputed ones.
 *
 * <p>Sums run over the outer loop and columns over the inner one, so that the compiler can use vectors without being
 * allowed to reorder anything. Java's float arithmetic rounds each operation, so the machine does not matter either.
 */
final class Kernels {
    /** Rows of a matrix taken in one pass over a result. */
    static final int ROWS = 8;

    private static final float EPSILON = 1e-5f;
    private static final float LOG2_E = (float) (1 / 0.6931471805599453);
    /** ln 2 in two parts: the first has few bits, so that its multiples are exact. */
    private static final float LN2_HIGH = 355f / 512;

    private static final float LN2_LOW = (float) (0.6931471805599453 - LN2_HIGH);
    /** 3 * 2^22: adding it leaves a float's integer part in its low bits, rounded to nearest. */
    private static final float ROUNDER = 3 << 22;

    /** The bits of 1f: adding n << 23 to them gives 2^n. */
    private static final int ONE = 0x3f800000;

    private static final float EXP_LEAST = -87f;
    private static final float EXP_MOST = 88f;

    private Kernels() {}

    /**
     * {@code y = x * w} for tokens {@code [from, to)}.
     *
     * @param x one row per token
     * @param w one row per element of an x row, their number a multiple of {@value #ROWS}
     * @param y one row per token
     */
    static void multiply(float[][] x, float[][] w, float[][] y, int from, int to) {
        int columns = w[0].length;
        for (int t = from; t < to; t++) {
            Arrays.fill(y[t], 0, columns, 0f);
        }
        for (int row = 0; row < w.length; row += ROWS) {
            for (int t = from; t < to; t++) {
                addRows(y[t], x[t], row, w, row, columns);
            }
        }
    }

    /**
     * {@code y += scale[at] * w[row] + … + scale[at + 7] * w[row + 7]}, in this order, for the first columns.
     *
     * <p>The hot loop of the whole engine. It compiles to vectors as it stands: from column 0, everything else in local
     * variables. Starting at another column, sixteen rows, or rows in parameters made it six times slower.
     */
    static void addRows(float[] y, float[] scale, int at, float[][] w, int row, int columns) {
        float s0 = scale[at];
        float s1 = scale[at + 1];
        float s2 = scale[at + 2];
        float s3 = scale[at + 3];
        float s4 = scale[at + 4];
        float s5 = scale[at + 5];
        float s6 = scale[at + 6];
        float s7 = scale[at + 7];
        float[] w0 = w[row];
        float[] w1 = w[row + 1];
        float[] w2 = w[row + 2];
        float[] w3 = w[row + 3];
        float[] w4 = w[row + 4];
        float[] w5 = w[row + 5];
        float[] w6 = w[row + 6];
        float[] w7 = w[row + 7];
        for (int i = 0; i < columns; i++) {
            y[i] = y[i]
                    + s0 * w0[i]
                    + s1 * w1[i]
                    + s2 * w2[i]
                    + s3 * w3[i]
                    + s4 * w4[i]
                    + s5 * w5[i]
                    + s6 * w6[i]
                    + s7 * w7[i];
        }
    }

    /** {@code y += scale * w}. */
    static void addRow(float[] y, float scale, float[] w) {
        for (int i = 0; i < y.length; i++) {
            y[i] = y[i] + scale * w[i];
        }
    }

    static void add(float[] y, float[] x) {
        for (int i = 0; i < y.length; i++) {
            y[i] += x[i];
        }
    }

    /** Root mean square normalisation of {@code x}, times {@code gain}. */
    static void normalise(float[] x, float[] gain, float[] y) {
        float sum0 = 0;
        float sum1 = 0;
        float sum2 = 0;
        float sum3 = 0;
        for (int i = 0; i < x.length; i += 4) {
            sum0 += x[i] * x[i];
            sum1 += x[i + 1] * x[i + 1];
            sum2 += x[i + 2] * x[i + 2];
            sum3 += x[i + 3] * x[i + 3];
        }
        float scale = 1f / (float) Math.sqrt((sum0 + sum1 + (sum2 + sum3)) / x.length + EPSILON);
        for (int i = 0; i < x.length; i++) {
            y[i] = x[i] * scale * gain[i];
        }
    }

    /** SwiGLU: {@code gate = silu(gate) * up}. */
    static void gate(float[] gate, float[] up) {
        for (int i = 0; i < gate.length; i++) {
            gate[i] = gate[i] / (1f + exp(-gate[i])) * up[i];
        }
    }

    /**
     * Turns the first {@code count} scores into {@code exp(score - greatest)}.
     *
     * @return their sum; the order of its additions depends on {@code count} alone
     */
    static float softmax(float[] scores, int count) {
        float greatest = scores[0];
        for (int i = 1; i < count; i++) {
            greatest = scores[i] > greatest ? scores[i] : greatest; // Math.max is slower, for the sake of -0 and NaN
        }
        for (int i = 0; i < count; i++) {
            scores[i] = exp(scores[i] - greatest);
        }
        float sum0 = 0;
        float sum1 = 0;
        float sum2 = 0;
        float sum3 = 0;
        int i = 0;
        for (; i + 3 < count; i += 4) {
            sum0 += scores[i];
            sum1 += scores[i + 1];
            sum2 += scores[i + 2];
            sum3 += scores[i + 3];
        }
        for (; i < count; i++) {
            sum0 += scores[i];
        }
        return sum0 + sum1 + (sum2 + sum3);
    }

    /**
     * e^x within a few units of the last place, by reduction to [-ln 2 / 2, ln 2 / 2] and its series. {@link Math#exp}
     * may differ between machines; this does not. Clamped to the range of normal floats.
     */
    static float exp(float x) {
        float clamped = x < EXP_LEAST ? EXP_LEAST : x > EXP_MOST ? EXP_MOST : x;
        float shifted = clamped * LOG2_E + ROUNDER;
        float power = shifted - ROUNDER;
        float r = clamped - power * LN2_HIGH - power * LN2_LOW;
        float tail = 1f / 5040;
        tail = tail * r + 1f / 720;
        tail = tail * r + 1f / 120;
        tail = tail * r + 1f / 24;
        tail = tail * r + 1f / 6;
        tail = tail * r + 1f / 2;
        float mantissa = tail * (r * r) + r + 1f;
        return mantissa * Float.intBitsToFloat((Float.floatToRawIntBits(shifted) << 23) + ONE);
    }

    /** Index of the greatest value, the first of equals. */
    static int greatest(float[] values) {
        int best = 0;
        for (int i = 1; i < values.length; i++) {
            if (values[i] > values[best]) {
                best = i;
            }
        }
        return best;
    }
}
