package io.kvern.app.demo.engine;

import io.kvern.model.Component;
import io.kvern.model.InvalidInputException;
import java.util.List;

/**
 * The sizes of a transformer and of its KV blocks.
 *
 * @param layers transformer layers, at least 1
 * @param width elements of the residual stream, a multiple of {@value Kernels#ROWS}
 * @param queryHeads query heads, a multiple of {@code kvHeads}
 * @param kvHeads key-value heads, each shared by {@code queryHeads / kvHeads} query heads
 * @param headSize elements per head, a multiple of {@value Kernels#ROWS}
 * @param hidden elements between the projections of the MLP, a multiple of {@value Kernels#ROWS}
 * @param vocabulary number of tokens, at least 2
 * @param tokensPerBlock tokens of one KV block, at least 1
 * @param maxContext most tokens of one sequence, prompt and answer together
 */
public record ModelShape(
        int layers,
        int width,
        int queryHeads,
        int kvHeads,
        int headSize,
        int hidden,
        int vocabulary,
        int tokensPerBlock,
        int maxContext) {
    public ModelShape {
        atLeast("layers", layers, 1);
        atLeast("kvHeads", kvHeads, 1);
        atLeast("vocabulary", vocabulary, 2);
        atLeast("tokensPerBlock", tokensPerBlock, 1);
        atLeast("maxContext", maxContext, 1);
        multiple("width", width, Kernels.ROWS);
        multiple("headSize", headSize, Kernels.ROWS);
        multiple("hidden", hidden, Kernels.ROWS);
        multiple("queryHeads", queryHeads, kvHeads);
    }

    private static void atLeast(String name, int value, int least) {
        if (value < least) {
            throw new InvalidInputException(
                    "model shape: %s is %d; at least %d is needed".formatted(name, value, least));
        }
    }

    private static void multiple(String name, int value, int of) {
        if (value < 1 || value % of != 0) {
            throw new InvalidInputException(
                    "model shape: %s is %d; a positive multiple of %d is needed".formatted(name, value, of));
        }
    }

    /** Elements of all query heads of one token. */
    int queryWidth() {
        return queryHeads * headSize;
    }

    /** Elements of all keys of one token and layer, and as many of its values. */
    int kvWidth() {
        return kvHeads * headSize;
    }

    /** Bytes of a block's keys; its values take as many. */
    private int halfBlockBytes() {
        return Math.multiplyExact(Math.multiplyExact(layers, kvWidth()), tokensPerBlock * Bf16.BYTES);
    }

    /** Bytes of one block: keys and values of all layers of its tokens. */
    public int blockBytes() {
        return Math.multiplyExact(2, halfBlockBytes());
    }

    /** Bytes of keys and values that one token leaves behind. */
    public int bytesPerToken() {
        return blockBytes() / tokensPerBlock;
    }

    /** The tensors of one block in their order. */
    public List<Component> components() {
        return List.of(
                new Component(Component.Kind.KEY, halfBlockBytes()),
                new Component(Component.Kind.VALUE, halfBlockBytes()));
    }

    /** Blocks that {@code tokens} tokens occupy, the last one perhaps in part. */
    public int blocksFor(int tokens) {
        return Math.ceilDiv(tokens, tokensPerBlock);
    }

    /** Weights, in elements. */
    public long parameters() {
        long attention = 2L * width * queryWidth() + 2L * width * kvWidth();
        long mlp = 3L * width * hidden;
        return layers * (attention + mlp + 2L * width) + 2L * vocabulary * width + width;
    }
}
