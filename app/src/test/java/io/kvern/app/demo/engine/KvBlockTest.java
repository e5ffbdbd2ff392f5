package io.kvern.app.demo.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.model.Component;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KvBlockTest {
    private static final ModelShape SHAPE = TinyModel.SHAPE;

    @Test
    void whatIsWrittenIsReadBackRounded() throws InterruptedException {
        KvBlock block = newBlock();
        float[][][] keys = new float[SHAPE.layers()][SHAPE.tokensPerBlock()][];
        float[][][] values = new float[SHAPE.layers()][SHAPE.tokensPerBlock()][];
        Random random = new Random(5);
        for (int layer = 0; layer < SHAPE.layers(); layer++) {
            for (int token = 0; token < SHAPE.tokensPerBlock(); token++) {
                keys[layer][token] = floats(random);
                values[layer][token] = floats(random);
                block.write(layer, token, keys[layer][token], values[layer][token]);
            }
        }

        int size = SHAPE.headSize();
        for (int layer = 0; layer < SHAPE.layers(); layer++) {
            for (int head = 0; head < SHAPE.kvHeads(); head++) {
                float[][] readKeys = new float[size][10];
                float[][] readValues = new float[10][size];
                block.read(layer, head, 3, readKeys, readValues, 5, new short[size * SHAPE.tokensPerBlock()]);
                for (int token = 0; token < 3; token++) {
                    for (int dim = 0; dim < size; dim++) {
                        assertThat(readKeys[dim][5 + token])
                                .isEqualTo(Bf16.toFloat(Bf16.of(keys[layer][token][head * size + dim])));
                        assertThat(readValues[5 + token][dim])
                                .isEqualTo(Bf16.toFloat(Bf16.of(values[layer][token][head * size + dim])));
                    }
                }
                assertThat(readKeys[0][4]).isZero();
                assertThat(readKeys[0][8]).isZero();
            }
        }
    }

    @Test
    void elementsStandWhereTheLayoutDrawsThem() throws InterruptedException {
        KvBlock block = newBlock();
        float[] keys = new float[SHAPE.kvWidth()];
        float[] values = new float[SHAPE.kvWidth()];
        int size = SHAPE.headSize();
        int tokens = SHAPE.tokensPerBlock();
        keys[size + 3] = 2f; // head 1, dim 3
        values[size + 3] = -2f;

        block.write(2, 1, keys, values);

        ByteBuffer bytes = block.bytes().order(ByteOrder.LITTLE_ENDIAN);
        int head = (2 * SHAPE.kvHeads() + 1) * size * tokens;
        assertThat(bytes.getShort(2 * (head + 3 * tokens + 1))).isEqualTo((short) 0x4000);
        assertThat(bytes.getShort(SHAPE.blockBytes() / 2 + 2 * (head + 1 * size + 3)))
                .isEqualTo((short) 0xc000);
    }

    @Test
    void componentsCoverTheBlock() {
        assertThat(SHAPE.components().stream().mapToInt(Component::length).sum())
                .isEqualTo(SHAPE.blockBytes());
        assertThat(SHAPE.blockBytes()).isEqualTo(3 * 2 * 16 * 4 * 2 * 2);
    }

    private static KvBlock newBlock() throws InterruptedException {
        BlockMemory.Slot slot = Objects.requireNonNull(TinyModel.memory(1).take(0));
        return new KvBlock(SHAPE, slot);
    }

    private static float[] floats(Random random) {
        float[] values = new float[SHAPE.kvWidth()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }
}
