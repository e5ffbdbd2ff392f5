package io.kvern.app.demo.engine;

import io.kvern.app.demo.engine.ReferenceModel.Layer;
import io.kvern.app.demo.engine.ReferenceModel.Matrix;
import java.util.Arrays;
import java.util.List;

/**
 * Runs chunks of tokens through the layers. A token's arithmetic is the same in a chunk of any size, so prefill at once,
 * prefill in pieces and decoding one by one leave the same keys, values and logits, bit for bit.
 *
 * <p>Belongs to one thread at a time; it holds the scratch of a chunk.
 */
final class Transformer implements AutoCloseable {
    private final ReferenceModel model;
    private final ModelShape shape;
    private final Team team;
    private final Rope rope;
    private final Attention[] attention;
    private final float queryScale;

    // One row per token of a chunk.
    private final float[][] residual;
    private final float[][] normed;
    private final float[][] query;
    private final float[][] key;
    private final float[][] value;
    private final float[][] attended;
    private final float[][] gate;
    private final float[][] up;
    private final float[][] update;

    /**
     * Takes scratch for chunks and starts the threads.
     *
     * @param chunkTokens most tokens of a chunk
     * @param threads threads that compute, the caller's included
     */
    Transformer(ReferenceModel model, int chunkTokens, int threads) {
        this.model = model;
        this.shape = model.shape();
        this.rope = new Rope(shape.headSize(), shape.maxContext());
        this.attention = new Attention[Math.min(threads, shape.kvHeads())];
        Arrays.setAll(attention, _ -> new Attention(shape));
        this.queryScale = 1f / (float) Math.sqrt(shape.headSize());
        this.residual = new float[chunkTokens][shape.width()];
        this.normed = new float[chunkTokens][shape.width()];
        this.query = new float[chunkTokens][shape.queryWidth()];
        this.key = new float[chunkTokens][shape.kvWidth()];
        this.value = new float[chunkTokens][shape.kvWidth()];
        this.attended = new float[chunkTokens][shape.queryWidth()];
        this.gate = new float[chunkTokens][shape.hidden()];
        this.up = new float[chunkTokens][shape.hidden()];
        this.update = new float[chunkTokens][shape.width()];
        this.team = new Team("reference-engine", threads);
    }

    /** Most tokens of a chunk. */
    int chunkTokens() {
        return residual.length;
    }

    /**
     * Computes tokens {@code [from, to)} of a sequence and writes their keys and values into its blocks.
     *
     * @param blocks of the sequence; they hold the keys and values of all tokens before {@code from}
     */
    void compute(int[] tokens, int from, int to, List<KvBlock> blocks) {
        int count = to - from;
        for (int t = 0; t < count; t++) {
            System.arraycopy(model.embedding(tokens[from + t]), 0, residual[t], 0, shape.width());
        }
        for (int index = 0; index < shape.layers(); index++) {
            int layerIndex = index;
            Layer layer = model.layer(index);
            byToken(count, t -> Kernels.normalise(residual[t], layer.attentionGain().elements, normed[t]));
            multiply(
                    count,
                    normed,
                    new Product(layer.query(), query),
                    new Product(layer.key(), key),
                    new Product(layer.value(), value));
            byToken(count, t -> {
                rope.turn(query[t], from + t, queryScale);
                rope.turn(key[t], from + t, 1f);
                int position = from + t;
                blocks.get(position / shape.tokensPerBlock())
                        .write(layerIndex, position % shape.tokensPerBlock(), key[t], value[t]);
            });
            attend(layerIndex, from, count, blocks);
            multiply(count, attended, new Product(layer.output(), update));
            byToken(count, t -> {
                Kernels.add(residual[t], update[t]);
                Kernels.normalise(residual[t], layer.mlpGain().elements, normed[t]);
            });
            multiply(count, normed, new Product(layer.gate(), gate), new Product(layer.up(), up));
            byToken(count, t -> Kernels.gate(gate[t], up[t]));
            multiply(count, gate, new Product(layer.down(), update));
            byToken(count, t -> Kernels.add(residual[t], update[t]));
        }
    }

    /** Scores of all tokens to follow the last token of a chunk of {@code count}, which was computed last. */
    float[] logits(int count) {
        Kernels.normalise(residual[count - 1], model.finalGain().elements, normed[0]);
        Product[] products = new Product[model.heads().length];
        Arrays.setAll(products, i -> {
            Matrix part = model.heads()[i];
            return new Product(part, new float[1][part.columns()]);
        });
        multiply(1, normed, products);
        float[] logits = new float[shape.vocabulary()];
        int at = 0;
        for (Product product : products) {
            System.arraycopy(product.y[0], 0, logits, at, product.w.columns());
            at += product.w.columns();
        }
        return logits;
    }

    private void attend(int layer, int from, int count, List<KvBlock> blocks) {
        team.run(part -> {
            for (int head = part; part < attention.length && head < shape.kvHeads(); head += attention.length) {
                attention[part].attend(layer, head, blocks, query, attended, from, count);
            }
        });
    }

    private interface TokenWork {
        void run(int token);
    }

    private void byToken(int count, TokenWork work) {
        if (count < team.size()) {
            for (int t = 0; t < count; t++) {
                work.run(t);
            }
            return;
        }
        team.run(part -> {
            for (int t = share(count, part), end = share(count, part + 1); t < end; t++) {
                work.run(t);
            }
        });
    }

    /** {@code y = x * w}. */
    private static final class Product {
        final Matrix w;
        final float[][] y;

        Product(Matrix w, float[][] y) {
            this.w = w;
            this.y = y;
        }
    }

    /** Each thread takes some of the tokens, or of a few tokens some of the products. */
    private void multiply(int count, float[][] x, Product... products) {
        if (count >= 2 * team.size()) {
            team.run(part -> {
                for (Product product : products) {
                    Kernels.multiply(x, product.w.rows, product.y, share(count, part), share(count, part + 1));
                }
            });
        } else if (products.length == 1) {
            Kernels.multiply(x, products[0].w.rows, products[0].y, 0, count);
        } else {
            team.run(part -> multiplySome(part, count, x, products));
        }
    }

    private void multiplySome(int part, int count, float[][] x, Product[] products) {
        int columns = 0;
        for (Product product : products) {
            columns += product.w.columns();
        }
        int before = 0;
        for (Product product : products) {
            int middle = before + product.w.columns() / 2;
            if ((long) middle * team.size() / columns == part) {
                Kernels.multiply(x, product.w.rows, product.y, 0, count);
            }
            before += product.w.columns();
        }
    }

    private int share(int whole, int part) {
        return whole * part / team.size();
    }

    @Override
    public void close() {
        team.close();
    }
}
