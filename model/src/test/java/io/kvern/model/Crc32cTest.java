package io.kvern.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Crc32cTest {
    @Test
    void knownValue() {
        // The check value of CRC-32C in every catalogue of CRCs.
        assertThat(Crc32c.of(ByteBuffer.wrap("123456789".getBytes(StandardCharsets.US_ASCII))))
                .isEqualTo(0xE3069283);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void combinedHalvesEqualTheWhole(long seed) {
        Random random = new Random(seed);
        byte[] whole = new byte[random.nextInt(1 << 20) + 1];
        random.nextBytes(whole);
        int cut = random.nextInt(whole.length + 1);

        int combined = Crc32c.combine(
                Crc32c.of(ByteBuffer.wrap(whole, 0, cut)),
                Crc32c.of(ByteBuffer.wrap(whole, cut, whole.length - cut)),
                whole.length - cut);

        assertThat(combined).isEqualTo(Crc32c.of(ByteBuffer.wrap(whole)));
        assertThat(Crc32c.of(MemorySegment.ofArray(whole))).isEqualTo(combined);
    }
}
