package io.kvern.protocol;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Component;
import io.kvern.model.Crc32c;
import io.kvern.model.Limits;
import io.kvern.model.Namespace;
import io.kvern.model.PublishId;
import io.kvern.model.WriteMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Chunks to test with, fixed ones and random ones. */
final class Samples {
    static final BlockKey KEY = Namespace.opaque("samples").key(BlockId.of("{ab01}:0/1:0"));

    private Samples() {}

    static final class Sample {
        private final ChunkHeader header;
        private final byte[] payload;

        Sample(ChunkHeader header, byte[] payload) {
            this.header = header;
            this.payload = payload;
        }

        ChunkHeader header() {
            return header;
        }

        byte[] payload() {
            return payload;
        }
    }

    /** A whole block with everything that a chunk may carry. */
    static Sample full() {
        byte[] payload = new byte[96];
        new Random(1).nextBytes(payload);
        return new Sample(
                new ChunkHeader(
                        new PublishId(0x0123456789abcdefL, 0xfedcba9876543210L, 42),
                        7,
                        WriteMode.SET,
                        96,
                        0,
                        96,
                        Crc32c.of(ByteBuffer.wrap(payload)),
                        Crc32c.of(ByteBuffer.wrap(payload)),
                        List.of(
                                new Component(Component.Kind.KEY, 40),
                                new Component(Component.Kind.VALUE, 40),
                                new Component(Component.Kind.KEY_SCALE, 8),
                                new Component(Component.Kind.VALUE_SCALE, 8)),
                        BlockId.of("{aa00}:0/1:0"),
                        1_700_000_000_123L,
                        1_800_000_000_456L),
                payload);
    }

    /** A chunk from the middle of a block, with nothing optional. */
    static Sample plain() {
        byte[] payload = "0123456789".getBytes(StandardCharsets.US_ASCII);
        return new Sample(
                new ChunkHeader(
                        new PublishId(-1, 1, 0),
                        0,
                        WriteMode.IF_ABSENT,
                        1 << 20,
                        508 << 10,
                        10,
                        0xdeadbeef,
                        Crc32c.of(ByteBuffer.wrap(payload)),
                        List.of(),
                        null,
                        0,
                        0),
                payload);
    }

    static Sample random(Random random) {
        int count = random.nextInt(4) == 0 ? 1 + random.nextInt(Component.MAX_PER_BLOCK) : 0;
        List<Component> components = new ArrayList<>();
        int total = 0;
        for (int i = 0; i < count; i++) {
            int length = 1 + random.nextInt(1 << random.nextInt(20));
            components.add(new Component(Component.Kind.ofCode(random.nextInt(6)), length));
            total += length;
        }
        if (count == 0) {
            total = 1 + random.nextInt(1 << random.nextInt(30));
        }
        byte[] payload = new byte[1 + random.nextInt(Math.min(total, 4096))];
        random.nextBytes(payload);
        byte[] parent = new byte[1 + random.nextInt(Limits.MAX_ID_BYTES)];
        random.nextBytes(parent);
        return new Sample(
                new ChunkHeader(
                        new PublishId(random.nextLong(), random.nextLong(), random.nextLong() >> random.nextInt(64)),
                        random.nextLong() >>> (1 + random.nextInt(63)),
                        WriteMode.ofCode(random.nextInt(2)),
                        total,
                        count > 0 ? 0 : random.nextInt(total - payload.length + 1),
                        payload.length,
                        random.nextInt(),
                        random.nextInt(),
                        components,
                        random.nextBoolean() ? BlockId.of(parent) : null,
                        random.nextLong() >> random.nextInt(64),
                        random.nextBoolean() ? random.nextLong() >>> 1 : 0),
                payload);
    }
}
