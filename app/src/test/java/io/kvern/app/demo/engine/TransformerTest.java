package io.kvern.app.demo.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvern.app.demo.engine.ReferenceModel.Layer;
import io.kvern.app.demo.engine.ReferenceModel.Matrix;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares with the textbook: one token after the other, all in doubles, no pages, no threads. */
class TransformerTest {
    private static final ModelShape SHAPE = TinyModel.SHAPE;
    private final ReferenceModel model = TinyModel.model();

    @Test
    void logitsAreThoseOfTheTextbook() throws InterruptedException {
        int[] tokens = TinyModel.prompt(3, 41);

        float[] logits;
        try (Engine engine = new Engine(model, TinyModel.memory(11), BlockTier.none(), TinyModel.SETTINGS)) {
            logits = engine.answer(tokens, 1).logits().getFirst();
        }

        double[] expected = textbook(tokens);
        double size = 0;
        for (int i = 0; i < expected.length; i++) {
            // Keys and values are rounded to 8 bits in both; a value at the edge may fall to either side.
            assertThat((double) logits[i]).isCloseTo(expected[i], within(0.02));
            size += expected[i] * expected[i];
        }
        assertThat(Math.sqrt(size / expected.length)).isBetween(0.3, 3.0);
    }

    private double[] textbook(int[] tokens) {
        List<List<double[]>> keys = new ArrayList<>();
        List<List<double[]>> values = new ArrayList<>();
        for (int layer = 0; layer < SHAPE.layers(); layer++) {
            keys.add(new ArrayList<>());
            values.add(new ArrayList<>());
        }
        double[] x = new double[SHAPE.width()];
        for (int position = 0; position < tokens.length; position++) {
            float[] embedding = model.embedding(tokens[position]);
            for (int i = 0; i < x.length; i++) {
                x[i] = embedding[i];
            }
            for (int index = 0; index < SHAPE.layers(); index++) {
                Layer layer = model.layer(index);
                double[] normed = normalise(x, layer.attentionGain().elements);
                double[] query = turn(times(normed, layer.query()), position);
                keys.get(index).add(rounded(turn(times(normed, layer.key()), position)));
                values.get(index).add(rounded(times(normed, layer.value())));
                add(x, times(attend(query, keys.get(index), values.get(index)), layer.output()));
                normed = normalise(x, layer.mlpGain().elements);
                double[] gate = times(normed, layer.gate());
                double[] up = times(normed, layer.up());
                for (int i = 0; i < gate.length; i++) {
                    gate[i] = gate[i] / (1 + Math.exp(-gate[i])) * up[i];
                }
                add(x, times(gate, layer.down()));
            }
        }
        double[] normed = normalise(x, model.finalGain().elements);
        double[] logits = new double[SHAPE.vocabulary()];
        int at = 0;
        for (Matrix head : model.heads()) {
            double[] part = times(normed, head);
            System.arraycopy(part, 0, logits, at, part.length);
            at += part.length;
        }
        return logits;
    }

    private static double[] attend(double[] query, List<double[]> keys, List<double[]> values) {
        int size = SHAPE.headSize();
        double[] out = new double[query.length];
        for (int head = 0; head < SHAPE.queryHeads(); head++) {
            int kv = head / (SHAPE.queryHeads() / SHAPE.kvHeads());
            double[] weights = new double[keys.size()];
            double sum = 0;
            for (int token = 0; token < weights.length; token++) {
                double score = 0;
                for (int dim = 0; dim < size; dim++) {
                    score += query[head * size + dim] * keys.get(token)[kv * size + dim];
                }
                weights[token] = Math.exp(score / Math.sqrt(size));
                sum += weights[token];
            }
            for (int token = 0; token < weights.length; token++) {
                for (int dim = 0; dim < size; dim++) {
                    out[head * size + dim] += weights[token] / sum * values.get(token)[kv * size + dim];
                }
            }
        }
        return out;
    }

    private static double[] turn(double[] heads, int position) {
        int size = SHAPE.headSize();
        double[] out = new double[heads.length];
        for (int at = 0; at < heads.length; at += size) {
            for (int i = 0; i < size / 2; i++) {
                double angle = position * Math.pow(10_000, -2.0 * i / size);
                double a = heads[at + i];
                double b = heads[at + size / 2 + i];
                out[at + i] = a * Math.cos(angle) - b * Math.sin(angle);
                out[at + size / 2 + i] = a * Math.sin(angle) + b * Math.cos(angle);
            }
        }
        return out;
    }

    private static double[] normalise(double[] x, float[] gain) {
        double sum = 0;
        for (double value : x) {
            sum += value * value;
        }
        double[] out = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            out[i] = x[i] / Math.sqrt(sum / x.length + 1e-5) * gain[i];
        }
        return out;
    }

    private static double[] times(double[] x, Matrix w) {
        double[] out = new double[w.columns()];
        for (int row = 0; row < x.length; row++) {
            for (int column = 0; column < out.length; column++) {
                out[column] += x[row] * w.rows[row][column];
            }
        }
        return out;
    }

    private static double[] rounded(double[] values) {
        double[] out = new double[values.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = Bf16.toFloat(Bf16.of((float) values[i]));
        }
        return out;
    }

    private static void add(double[] x, double[] y) {
        for (int i = 0; i < x.length; i++) {
            x[i] += y[i];
        }
    }
}
