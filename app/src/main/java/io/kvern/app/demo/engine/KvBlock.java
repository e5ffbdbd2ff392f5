package io.kvern.app.demo.engine;

import io.kvern.model.BlockId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One block of the pool: keys and values of all layers of {@code T} consecutive tokens in bf16, little-endian.
 *
 * <pre>
 *  0                                    half                                  2 * half
 *  +------------------------------------+-------------------------------------+
 *  | keys   [layer][kv head][dim][T]    | values [layer][kv head][T][dim]     |
 *  +------------------------------------+-------------------------------------+
 * </pre>
 *
 * Keys stand with their tokens side by side, since scores are computed for many tokens at once; values with their
 * dimensions side by side, for the same reason.
 */
final class KvBlock {
    private final ModelShape shape;
    private final BlockMemory.Slot slot;
    private final ByteBuffer bytes;
    private final ShortBuffer elements;
    private final int valuesAt;

    // Known once the block is full and named; guarded by the engine's thread.
    private @Nullable BlockId id;
    private @Nullable BlockId parentId;
    private boolean inTier;
    private int references;

    KvBlock(ModelShape shape, BlockMemory.Slot slot) {
        this.shape = shape;
        this.slot = slot;
        this.bytes = slot.buffer().slice(0, shape.blockBytes());
        this.elements = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).asShortBuffer();
        this.valuesAt = shape.layers() * shape.kvWidth() * shape.tokensPerBlock();
    }

    BlockMemory.Slot slot() {
        return slot;
    }

    /** A view of exactly the block's bytes. */
    ByteBuffer bytes() {
        return bytes.duplicate();
    }

    /** Rounds keys and values of one token, all heads, and keeps them. */
    void write(int layer, int token, float[] keys, float[] values) {
        int size = shape.headSize();
        int tokens = shape.tokensPerBlock();
        for (int head = 0; head < shape.kvHeads(); head++) {
            int keyAt = keysAt(layer, head) + token;
            int valueAt = valuesAt + keysAt(layer, head) + token * size;
            for (int dim = 0; dim < size; dim++) {
                elements.put(keyAt + dim * tokens, Bf16.of(keys[head * size + dim]));
                elements.put(valueAt + dim, Bf16.of(values[head * size + dim]));
            }
        }
    }

    /**
     * Reads one head's keys of the first {@code count} tokens into {@code keys[dim][at…]} and its values into
     * {@code values[at…][dim]}.
     *
     * @param raw scratch for {@code headSize * tokensPerBlock} elements
     */
    void read(int layer, int head, int count, float[][] keys, float[][] values, int at, short[] raw) {
        int size = shape.headSize();
        int tokens = shape.tokensPerBlock();
        elements.get(keysAt(layer, head), raw, 0, size * tokens);
        for (int dim = 0; dim < size; dim++) {
            float[] row = keys[dim];
            for (int t = 0; t < count; t++) {
                row[at + t] = Bf16.toFloat(raw[dim * tokens + t]);
            }
        }
        elements.get(valuesAt + keysAt(layer, head), raw, 0, size * count);
        for (int t = 0; t < count; t++) {
            float[] row = values[at + t];
            for (int dim = 0; dim < size; dim++) {
                row[dim] = Bf16.toFloat(raw[t * size + dim]);
            }
        }
    }

    private int keysAt(int layer, int head) {
        return (layer * shape.kvHeads() + head) * shape.headSize() * shape.tokensPerBlock();
    }

    /**
     * Gives a full block its name.
     *
     * @param fromTier whether it was loaded: then it need not go there again
     */
    void name(BlockId own, @Nullable BlockId parent, boolean fromTier) {
        this.id = own;
        this.parentId = parent;
        this.inTier = fromTier;
    }

    BlockId id() {
        if (id == null) {
            throw new IllegalStateException("a block in use has no name yet");
        }
        return id;
    }

    boolean inTier() {
        return inTier;
    }

    EvictedBlock evicted(BlockMemory.Slot handedOver) {
        return new EvictedBlock(id(), parentId, shape.components(), shape.blockBytes(), handedOver);
    }

    int references() {
        return references;
    }

    void reference() {
        references++;
    }

    /** Returns whether nobody refers to it any more. */
    boolean dereference() {
        if (references == 0) {
            throw new IllegalStateException("block %s is released more often than it was taken".formatted(id));
        }
        references--;
        return references == 0;
    }
}
