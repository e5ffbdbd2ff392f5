package io.kvern.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.BlockId;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Component;
import io.kvern.model.InvalidInputException;
import io.kvern.model.Limits;
import io.kvern.model.PublishId;
import io.kvern.model.WriteMode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockEventCodecTest {
    private static final byte[] KEY = Samples.KEY.toBytes();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13})
    void whatIsWrittenIsReadBack(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            Samples.Sample sample = Samples.random(random);
            byte[] event = BlockEventCodec.encodeChunk(sample.header(), direct(sample.payload()));

            assertThat(event).hasSize(BlockEventCodec.encodedLength(sample.header()));
            assertThat(BlockEventCodec.decode(KEY, event))
                    .isEqualTo(new BlockEvent.Chunk(Samples.KEY, sample.header(), ByteBuffer.wrap(sample.payload())));
        }
    }

    @Test
    void thePayloadIsAViewOfTheRecord() {
        byte[] event = encoded(Samples.plain());

        ByteBuffer payload = ((BlockEvent.Chunk) BlockEventCodec.decode(KEY, event)).payload();
        event[event.length - 1] ^= 1;

        assertThat(payload.get(payload.limit() - 1)).isEqualTo(event[event.length - 1]);
        assertThat(payload.position()).isZero();
        assertThat(payload.capacity()).isEqualTo(Samples.plain().payload().length);
    }

    @Test
    void theCallersBufferKeepsItsPosition() {
        Samples.Sample sample = Samples.plain();
        ByteBuffer within = ByteBuffer.allocateDirect(30).position(7);
        within.put(7, sample.payload()).limit(17);

        byte[] event = BlockEventCodec.encodeChunk(sample.header(), within);

        assertThat(within.position()).isEqualTo(7);
        assertThat(event).isEqualTo(encoded(sample));
        assertThatThrownBy(() -> BlockEventCodec.encodeChunk(sample.header(), within.limit(18)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("10 bytes")
                .hasMessageContaining("11");
    }

    @Test
    void nullIsARemoval() {
        assertThat(BlockEventCodec.decode(KEY, null)).isEqualTo(new BlockEvent.Remove(Samples.KEY));
    }

    @Test
    void theLongestHeaderIsTheOnePromised() {
        int[] lengths = new int[Component.MAX_PER_BLOCK];
        Arrays.fill(lengths, Limits.MAX_BLOCK_BYTES / Component.MAX_PER_BLOCK);
        ChunkHeader longest = new ChunkHeader(
                new PublishId(0, 0, Long.MIN_VALUE),
                Long.MAX_VALUE,
                WriteMode.SET,
                Limits.MAX_BLOCK_BYTES,
                0,
                Limits.MAX_BLOCK_BYTES,
                Integer.MIN_VALUE,
                Integer.MIN_VALUE,
                Arrays.stream(lengths)
                        .mapToObj(length -> new Component(Component.Kind.OTHER, length))
                        .toList(),
                BlockId.of(new byte[Limits.MAX_ID_BYTES]),
                Long.MIN_VALUE,
                Long.MAX_VALUE);

        // Only what no block can have keeps it below: an offset of 5 bytes, components of 5 bytes each.
        assertThat(BlockEventCodec.headerLength(longest))
                .isBetween(
                        BlockEventCodec.MAX_HEADER_BYTES - 4 - Component.MAX_PER_BLOCK,
                        BlockEventCodec.MAX_HEADER_BYTES);
    }

    @Test
    void keysThatCanNeverBeValid() {
        byte[] value = encoded(Samples.full());

        assertInvalid(null, value, "no key");
        assertInvalid(new byte[0], value, "0 bytes");
        assertInvalid(new byte[18], null, "18 bytes");
        assertInvalid(new byte[1043], null, "1043 bytes");
        byte[] forged = KEY.clone();
        forged[0] ^= 1;
        assertInvalid(forged, value, "slot");
    }

    @Test
    void eventsThatAreNotOurs() {
        byte[] event = encoded(Samples.full());

        assertInvalid(KEY, new byte[0], "0 bytes");
        assertInvalid(KEY, Arrays.copyOf(event, 9), "9 bytes");
        byte[] marker = event.clone();
        marker[0] = 0x00;
        assertInvalid(KEY, marker, "0001", "c301");
        byte[] stranger = event.clone();
        System.arraycopy(HexFormat.of().parseHex("8877665544332211"), 0, stranger, 2, 8);
        assertInvalid(KEY, stranger, "1122334455667788");
        byte[] layout = ClusterLayoutCodec.encode(
                ClusterLayout.of(Collections.singletonMap("t", new ClusterLayout.PinnedTopic(new UUID(0, 0), 1))));
        assertInvalid(KEY, layout, "ClusterLayout");
    }

    @Test
    void everyTruncationIsNoticed() {
        byte[] event = encoded(Samples.full());

        for (int length = 0; length < event.length; length++) {
            assertInvalid(KEY, Arrays.copyOf(event, length), "bytes");
        }
        assertInvalid(KEY, Arrays.copyOf(event, event.length + 1), "1 bytes behind");
    }

    @ParameterizedTest
    @CsvSource({
        // publishId.sequence, epoch, mode, totalLength, offset, blockCrc, chunkCrc, then what follows, as Avro numbers
        // in hex
        "00 00 04 14 00 00 00 00 00 00 00 14, write mode 2",
        "00 00 03 14 00 00 00 00 00 00 00 14, write mode -2",
        "00 01 00 14 00 00 00 00 00 00 00 14, epoch -1",
        "00 00 00 00 00 00 00 00 00 00 00 14, block has 0 bytes",
        "00 00 00 01 00 00 00 00 00 00 00 14, block has -1 bytes",
        "00 00 00 8080808010 00 00 00 00 00 00 00 14, totalLength is 2147483648",
        "00 00 00 8280808008 00 00 00 00 00 00 00 14, block has 1073741825",
        "00 00 00 14 02 00 00 00 00 00 00 14, chunk of 10 bytes at offset 1",
        "00 00 00 14 01 00 00 00 00 00 00 14, offset -1",
        "00 00 00 14 00 00 00 00 00 00 00 13, payload has -10 bytes",
        "00 00 00 14 00 00 00 00 00 00 00 feffffff0f, payload has 2147483647 bytes",
        "00 00 00 14 00 00 00 00 00 00 00 feffffffffffffffff01, payload has 9223372036854775807",
        "00 00 00 14 00 00 00 00 00 00 00 80808008, payload has 8388608 bytes",
        "ffffffffffffffffffff01 00 00 14 00 00 00 00 00 00 00 14, more than 64 bits",
        "00 00 00 14 00 00 00 feffffffffffffffff01 00 00 00 14, run of 9223372036854775807 items",
        "00 00 00 14 00 00 00 ffffffffffffffffff01 00 00 00 14, run of -9223372036854775808 items",
        "00 00 00 14 00 00 00 8201 00 00 00 14, run of 65 items",
        "00 00 00 14 00 00 00 02 0c 14 00 00 00 00 14, component kind 6",
        "00 00 00 14 00 00 00 02 00 00 00 00 00 00 14, component KEY has 0 bytes",
        "00 00 00 14 00 00 00 02 00 16 00 00 00 00 14, components of 11 bytes",
        "00 00 00 14 00 00 00 00 04 00 00 14, branch 2",
        "00 00 00 14 00 00 00 00 02 00 00 00 14, block id has 0 bytes",
        "00 00 00 14 00 00 00 00 02 8210 00 00 14, parentId has 1025 bytes",
        "00 00 00 14 00 00 00 00 02 feffffff0f 00 00 14, parentId has 2147483647 bytes"
    })
    void numbersThatNoBlockCanHave(String body, String reason) {
        byte[] numbers = HexFormat.of().parseHex(body.replace(" ", ""));
        ByteBuffer event = ByteBuffer.allocate(10 + 16 + numbers.length + 10);
        event.put(encoded(Samples.plain()), 0, 10).position(26).put(numbers);

        assertInvalid(KEY, event.array(), reason);
    }

    @Test
    void aChunkWithoutPayloadIsNone() {
        byte[] event = encoded(Samples.plain());
        byte[] empty = Arrays.copyOf(event, event.length - 10);
        empty[empty.length - 1] = 0; // the payload's length

        assertInvalid(KEY, empty, "chunk of 0 bytes");
    }

    @Test
    void arraysInRunsWithByteLengthsAreRead() {
        // Avro allows an array in several runs, each with its length in bytes behind a negative count.
        byte[] numbers = HexFormat.of()
                .parseHex("0000001400" + "0000" + "01040006" + "0202" + "0e" + "00" + "00" + "00" + "00" + "14");
        ByteBuffer event = ByteBuffer.allocate(10 + 16 + numbers.length + 10);
        event.put(encoded(Samples.plain()), 0, 10).position(26).put(numbers);

        var chunk = (BlockEvent.Chunk) BlockEventCodec.decode(KEY, event.array());

        assertThat(chunk.header().components())
                .containsExactly(new Component(Component.Kind.KEY, 3), new Component(Component.Kind.VALUE, 7));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {101, 102, 103, 104})
    void noBytesMakeItThrowAnythingElse(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 5_000; i++) {
            byte[] key = random.nextInt(8) == 0 ? mutated(KEY, random) : KEY;
            byte[] event = random.nextInt(16) == 0 ? noise(random) : mutated(encoded(Samples.full()), random);
            try {
                BlockEvent read = BlockEventCodec.decode(key, event);
                assertThat(((BlockEvent.Chunk) read).payload().remaining())
                        .isEqualTo(((BlockEvent.Chunk) read).header().length());
            } catch (InvalidEventException expected) {
                assertThat(expected).hasMessageMatching("(?s).{10,400}");
            }
        }
    }

    static byte[] mutated(byte[] valid, Random random) {
        byte[] bytes = valid.clone();
        for (int changes = 1 + random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> bytes = Arrays.copyOf(bytes, at);
                case 3 -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(20));
                default -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 10), (byte) 0xff);
            }
        }
        return bytes;
    }

    private static byte[] noise(Random random) {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        if (bytes.length > 10 && random.nextBoolean()) {
            System.arraycopy(encoded(Samples.plain()), 0, bytes, 0, 10);
        }
        return bytes;
    }

    private static byte[] encoded(Samples.Sample sample) {
        return BlockEventCodec.encodeChunk(sample.header(), ByteBuffer.wrap(sample.payload()));
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private static void assertInvalid(byte @Nullable [] key, byte @Nullable [] value, String... said) {
        assertThatThrownBy(() -> BlockEventCodec.decode(key, value))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContainingAll(said);
    }
}
