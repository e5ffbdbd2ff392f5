package io.kvern.app.demo.engine;

import io.kvern.model.CacheSpec;
import io.kvern.model.Namespace;

/**
 * The weights of a transformer, drawn from a seed: the same seed and shape give the same bits everywhere. Immutable once
 * made, and shared by all engines of a process.
 *
 * <p>It has learned nothing, so its answers mean nothing; but it does all the work of a model that has, and its logits
 * hang on every bit of its KV cache.
 */
public final class ReferenceModel {
    /** Changes whenever the arithmetic or the layout of a block does: older blocks are another namespace then. */
    private static final String REVISION = "kvern-reference-1";

    /** The weights of one layer; matrices as rows of outputs per input. */
    record Layer(
            Vector attentionGain,
            Matrix query,
            Matrix key,
            Matrix value,
            Matrix output,
            Vector mlpGain,
            Matrix gate,
            Matrix up,
            Matrix down) {}

    /** A row of floats. */
    static final class Vector {
        final float[] elements;

        Vector(float[] elements) {
            this.elements = elements;
        }
    }

    /** {@code rows[input][output]}. */
    static final class Matrix {
        final float[][] rows;

        Matrix(float[][] rows) {
            this.rows = rows;
        }

        int columns() {
            return rows[0].length;
        }
    }

    private final ModelShape shape;
    private final Matrix embedding;
    private final Layer[] layers;
    private final Vector finalGain;
    private final Matrix[] heads;

    private ReferenceModel(ModelShape shape, long seed) {
        this.shape = shape;
        Draw draw = new Draw(seed);
        this.embedding = draw.matrix(shape.vocabulary(), shape.width(), 1f);
        this.layers = new Layer[shape.layers()];
        // Both projections back into the residual stream are smaller, so that its size does not grow with the depth.
        float intoResidual = 1f / (float) Math.sqrt(2.0 * shape.layers());
        for (int i = 0; i < layers.length; i++) {
            layers[i] = new Layer(
                    draw.gain(shape.width()),
                    draw.projection(shape.width(), shape.queryWidth(), 1f),
                    draw.projection(shape.width(), shape.kvWidth(), 1f),
                    draw.projection(shape.width(), shape.kvWidth(), 1f),
                    draw.projection(shape.queryWidth(), shape.width(), intoResidual),
                    draw.gain(shape.width()),
                    draw.projection(shape.width(), shape.hidden(), 1f),
                    draw.projection(shape.width(), shape.hidden(), 1f),
                    draw.projection(shape.hidden(), shape.width(), intoResidual));
        }
        this.finalGain = draw.gain(shape.width());
        int half = shape.vocabulary() / 2;
        this.heads = new Matrix[] {
            draw.projection(shape.width(), half, 1f), draw.projection(shape.width(), shape.vocabulary() - half, 1f)
        };
    }

    /** Draws all weights; a fraction of a second for ten million of them. */
    public static ReferenceModel of(ModelShape shape, long seed) {
        return new ReferenceModel(shape, seed);
    }

    public ModelShape shape() {
        return shape;
    }

    /** What has to agree before a block of the model with this shape and seed may be reused. */
    public static CacheSpec.Engine spec(ModelShape shape, long seed) {
        return new CacheSpec.Engine(
                "bf16",
                shape.layers(),
                shape.kvHeads(),
                shape.headSize(),
                shape.tokensPerBlock(),
                1,
                "key:layer,head,dim,token;value:layer,head,token,dim;le",
                PrefixHash.ALGORITHM,
                PrefixHash.SEED,
                REVISION,
                "width=%d,query=%d,hidden=%d,vocabulary=%d,seed=%d"
                        .formatted(shape.width(), shape.queryHeads(), shape.hidden(), shape.vocabulary(), seed));
    }

    /** The namespace of that model's blocks. */
    public static Namespace namespace(ModelShape shape, long seed) {
        return Namespace.of("demo/" + REVISION, spec(shape, seed));
    }

    float[] embedding(int token) {
        return embedding.rows[token];
    }

    Layer layer(int index) {
        return layers[index];
    }

    Vector finalGain() {
        return finalGain;
    }

    /** From the residual stream to logits: two matrices, each for one half of the vocabulary, so that two threads share it. */
    Matrix[] heads() {
        return heads;
    }

    /** Uniform numbers from a seed (SplitMix64). */
    private static final class Draw {
        private long state;

        Draw(long seed) {
            this.state = seed;
        }

        /** Of variance {@code gain² / inputs}, so that the outputs have about the size of the inputs. */
        Matrix projection(int inputs, int outputs, float gain) {
            return matrix(inputs, outputs, gain / (float) Math.sqrt(inputs));
        }

        /** Uniform with this standard deviation. */
        Matrix matrix(int rows, int columns, float deviation) {
            float most = deviation * (float) Math.sqrt(3.0);
            float[][] matrix = new float[rows][columns];
            for (float[] row : matrix) {
                for (int i = 0; i < columns; i++) {
                    row[i] = next() * most;
                }
            }
            return new Matrix(matrix);
        }

        Vector gain(int length) {
            float[] gain = new float[length];
            for (int i = 0; i < length; i++) {
                gain[i] = 1f + 0.1f * next();
            }
            return new Vector(gain);
        }

        /** At least -1, under 1. */
        private float next() {
            state += 0x9E3779B97F4A7C15L;
            long mixed = state;
            mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
            mixed ^= mixed >>> 31;
            return (mixed >> 40) * 0x1p-23f;
        }
    }
}
