package io.kvern.app.demo.engine;

/** Rotary position embedding: pairs of elements half a head apart turn by an angle that grows with the position. */
final class Rope {
    private static final double BASE = 10_000;

    private final int half;
    private final float[][] cosines;
    private final float[][] sines;

    /** Tables for positions 0 to {@code positions - 1}, from {@link StrictMath}: the same bits on every machine. */
    Rope(int headSize, int positions) {
        this.half = headSize / 2;
        this.cosines = new float[positions][half];
        this.sines = new float[positions][half];
        for (int i = 0; i < half; i++) {
            double frequency = StrictMath.pow(BASE, -2.0 * i / headSize);
            for (int position = 0; position < positions; position++) {
                cosines[position][i] = (float) StrictMath.cos(position * frequency);
                sines[position][i] = (float) StrictMath.sin(position * frequency);
            }
        }
    }

    /** Turns all heads in {@code heads}, and scales them. */
    void turn(float[] heads, int position, float scale) {
        float[] cosine = cosines[position];
        float[] sine = sines[position];
        for (int at = 0; at < heads.length; at += 2 * half) {
            for (int i = 0; i < half; i++) {
                float a = heads[at + i];
                float b = heads[at + half + i];
                heads[at + i] = (a * cosine[i] - b * sine[i]) * scale;
                heads[at + half + i] = (a * sine[i] + b * cosine[i]) * scale;
            }
        }
    }
}
