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

    private static final float EXP_LEAST = -87f;
    private static final float EXP_MOST = 88f;

    private Kernels() {}

    /**
     * {@code y = x * w} for tokens {@code [fromToken, toToken)} and columns {@code [fromColumn, toColumn)}.
     *
     * @param x one row per token
     * @param w one row per element of an x row, their number a multiple of {@value #ROWS}
     * @param y one row per token
     */
    static void multiply(
            float[][] x, float[][] w, float[][] y, int fromToken, int toToken, int fromColumn, int toColumn) {
        for (int t = fromToken; t < toToken; t++) {
            Arrays.fill(y[t], fromColumn, toColumn, 0f);
        }
        for (int row = 0; row < w.length; row += ROWS) {
            for (int t = fromToken; t < toToken; t++) {
                addRows(y[t], x[t], row, w, row, fromColumn, toColumn);
            }
        }
    }

    /** {@code y += scale[at] * w[row] + … + scale[at + 7] * w[row + 7]}, in this order, for a range of columns. */
    static void addRows(float[] y, float[] scale, int at, float[][] w, int row, int from, int to) {
        addRows(
                y,
                scale[at],
                w[row],
                scale[at + 1],
                w[row + 1],
                scale[at + 2],
                w[row + 2],
                scale[at + 3],
                w[row + 3],
                scale[at + 4],
                w[row + 4],
                scale[at + 5],
                w[row + 5],
                scale[at + 6],
                w[row + 6],
                scale[at + 7],
                w[row + 7],
                from,
                to);
    }

    private static void addRows(
            float[] y,
            float s0,
            float[] w0,
            float s1,
            float[] w1,
            float s2,
            float[] w2,
            float s3,
            float[] w3,
            float s4,
            float[] w4,
            float s5,
            float[] w5,
            float s6,
            float[] w6,
            float s7,
            float[] w7,
            int from,
            int to) {
        for (int i = from; i < to; i++) {
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

    /** {@code y += scale * w} for a range of columns. */
    static void addRow(float[] y, float scale, float[] w, int from, int to) {
        for (int i = from; i < to; i++) {
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
            greatest = Math.max(greatest, scores[i]);
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
        float clamped = Math.min(Math.max(x, EXP_LEAST), EXP_MOST);
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
        return mantissa * Float.intBitsToFloat(((int) power + 127) << 23);
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
