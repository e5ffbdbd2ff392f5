package io.kvern.app.demo.engine;

import java.util.Arrays;
import java.util.List;

/**
 * Causal attention of the query heads that share one key-value head. Keys and values come from the pool's blocks in token
 * order and from nowhere else: whether this engine computed them just now, or earlier, or another one did, their bits are
 * those that were stored.
 *
 * <p>Holds the scratch of one thread.
 */
final class Attention {
    private final ModelShape shape;
    private final float[][] keys;
    private final float[][] values;
    private final float[] scores;
    private final float[] sum;
    private final short[] raw;

    Attention(ModelShape shape) {
        this.shape = shape;
        this.keys = new float[shape.headSize()][shape.maxContext()];
        this.values = new float[shape.maxContext()][shape.headSize()];
        this.scores = new float[shape.maxContext()];
        this.sum = new float[shape.headSize()];
        this.raw = new short[shape.headSize() * shape.tokensPerBlock()];
    }

    /**
     * Attends from consecutive tokens to themselves and all before them.
     *
     * @param blocks of the sequence, holding keys and values up to the last of these tokens
     * @param queries one row per token, all query heads, turned and scaled
     * @param out one row per token, all query heads
     * @param first position of the first token
     * @param count number of tokens
     */
    void attend(int layer, int kvHead, List<KvBlock> blocks, float[][] queries, float[][] out, int first, int count) {
        gather(layer, kvHead, blocks, first + count);
        int group = shape.queryHeads() / shape.kvHeads();
        for (int t = 0; t < count; t++) {
            for (int head = kvHead * group; head < (kvHead + 1) * group; head++) {
                attendOne(queries[t], out[t], head * shape.headSize(), first + t + 1);
            }
        }
    }

    private void gather(int layer, int kvHead, List<KvBlock> blocks, int context) {
        int perBlock = shape.tokensPerBlock();
        for (int at = 0; at < context; at += perBlock) {
            blocks.get(at / perBlock).read(layer, kvHead, Math.min(perBlock, context - at), keys, values, at, raw);
        }
    }

    private void attendOne(float[] query, float[] out, int at, int context) {
        Arrays.fill(scores, 0, context, 0f);
        for (int dim = 0; dim < sum.length; dim += Kernels.ROWS) {
            Kernels.addRows(scores, query, at + dim, keys, dim, context);
        }
        float total = Kernels.softmax(scores, context);
        Arrays.fill(sum, 0f);
        int token = 0;
        for (; token + Kernels.ROWS <= context; token += Kernels.ROWS) {
            Kernels.addRows(sum, scores, token, values, token, sum.length);
        }
        for (; token < context; token++) {
            Kernels.addRow(sum, scores[token], values[token]);
        }
        float scale = 1f / total;
        for (int dim = 0; dim < sum.length; dim++) {
            out[at + dim] = sum[dim] * scale;
        }
    }
}
