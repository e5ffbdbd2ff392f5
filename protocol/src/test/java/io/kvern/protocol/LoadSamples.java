package io.kvern.protocol;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.Namespace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Requests and replies to test with, fixed ones and random ones. */
final class LoadSamples {
    private static final UUID ID = UUID.fromString("01234567-89ab-cdef-fedc-ba9876543210");

    private LoadSamples() {}

    static LoadRequestEvent request() {
        BlockKey other = Namespace.opaque("samples").key(BlockId.of("{ab01}:0/1:1"));
        return new LoadRequestEvent(ID, "worker-ü/7", List.of(Samples.KEY, other), 7, 1_700_000_000_123L, 5, -1);
    }

    static ReplyEvent.Chunk chunk() {
        return new ReplyEvent.Chunk(
                ID,
                Samples.KEY,
                508 << 10,
                1 << 20,
                0xdeadbeef,
                ByteBuffer.wrap("0123456789".getBytes(StandardCharsets.US_ASCII)));
    }

    static ReplyEvent.Status status() {
        return new ReplyEvent.Status(ID, Samples.KEY, LoadAnswer.UNSURE, "behind by 3 records — soon");
    }

    static ReplyEvent.Status statusOfAll() {
        return new ReplyEvent.Status(ID, null, LoadAnswer.LATE, "");
    }

    static byte[] encoded(ReplyEvent.Chunk chunk) {
        int length = chunk.payload().remaining();
        byte[] frame = ReplyEventCodec.chunkFrame(
                chunk.requestId(), chunk.key(), chunk.offset(), chunk.totalLength(), chunk.blockCrc(), length);
        ReplyEventCodec.payload(frame, length).put(chunk.payload().duplicate());
        return frame;
    }

    static List<byte[]> encodedOfEachKind() {
        return List.of(
                LoadRequestCodec.encode(request()),
                encoded(chunk()),
                ReplyEventCodec.encodeStatus(status()),
                ReplyEventCodec.encodeStatus(statusOfAll()));
    }

    static LoadRequestEvent request(Random random) {
        List<BlockKey> keys = new ArrayList<>();
        for (int i = random.nextInt(20); i >= 0; i--) {
            keys.add(key(random));
        }
        return new LoadRequestEvent(
                new UUID(random.nextLong(), random.nextLong()),
                "worker " + random.nextInt(1000),
                keys,
                random.nextLong() >>> (1 + random.nextInt(63)),
                random.nextLong() >> random.nextInt(64),
                random.nextInt(1 << random.nextInt(30)),
                random.nextInt());
    }

    static ReplyEvent.Chunk chunk(Random random) {
        int total = 1 + random.nextInt(1 << random.nextInt(30));
        byte[] payload = new byte[1 + random.nextInt(Math.min(total, 4096))];
        random.nextBytes(payload);
        return new ReplyEvent.Chunk(
                new UUID(random.nextLong(), random.nextLong()),
                key(random),
                random.nextInt(total - payload.length + 1),
                total,
                random.nextInt(),
                ByteBuffer.wrap(payload));
    }

    static ReplyEvent.Status status(Random random) {
        return new ReplyEvent.Status(
                new UUID(random.nextLong(), random.nextLong()),
                random.nextBoolean() ? key(random) : null,
                LoadAnswer.ofCode(random.nextInt(5)),
                "x".repeat(random.nextInt(100)));
    }

    private static BlockKey key(Random random) {
        byte[] id = new byte[1 + random.nextInt(100)];
        random.nextBytes(id);
        return Namespace.opaque("n" + random.nextInt(9)).key(BlockId.of(id));
    }
}
