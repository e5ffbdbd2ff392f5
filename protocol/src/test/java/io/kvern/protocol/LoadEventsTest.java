package io.kvern.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.InvalidInputException;
import io.kvern.model.Limits;
import io.kvern.model.Namespace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadEventsTest {
    private static final UUID ID = new UUID(0x0123456789abcdefL, 0xfedcba9876543210L);

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {31, 32})
    void whatIsWrittenIsReadBack(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            LoadRequestEvent request = LoadSamples.request(random);
            assertThat(LoadRequestCodec.decode(LoadRequestCodec.encode(request)))
                    .isEqualTo(request);

            ReplyEvent.Chunk chunk = LoadSamples.chunk(random);
            assertThat(ReplyEventCodec.decode(LoadSamples.encoded(chunk))).isEqualTo(chunk);

            ReplyEvent.Status status = LoadSamples.status(random);
            assertThat(ReplyEventCodec.decode(ReplyEventCodec.encodeStatus(status)))
                    .isEqualTo(status);
        }
    }

    @Test
    void theLargestRequestFitsAnUnchangedBroker() {
        byte[] id = new byte[Limits.MAX_ID_BYTES];
        BlockKey longest = Namespace.opaque("n").key(BlockId.of(id));
        LoadRequestEvent request = new LoadRequestEvent(
                ID,
                "w".repeat(LoadRequestEvent.MAX_WORKER_BYTES),
                Collections.nCopies(LoadRequestEvent.MAX_KEYS, longest),
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                Integer.MAX_VALUE,
                Integer.MIN_VALUE);

        assertThat(LoadRequestCodec.encode(request))
                .hasSizeLessThanOrEqualTo(LoadRequestCodec.MAX_BYTES)
                .hasSizeGreaterThan(LoadRequestCodec.MAX_BYTES - 8);
        assertThat(LoadRequestCodec.MAX_BYTES).isLessThan(Topics.MAX_MESSAGE_BYTES - 4096);
        byte[] frame = ReplyEventCodec.chunkFrame(ID, longest, 1 << 29, 1 << 30, Integer.MIN_VALUE, 1 << 20);
        assertThat(frame.length - (1 << 20))
                .isBetween(ReplyEventCodec.MAX_HEADER_BYTES - 4, ReplyEventCodec.MAX_HEADER_BYTES);
    }

    @Test
    void impossibleEventsAreRefusedByTheirWriters() {
        List<BlockKey> one = List.of(Samples.KEY);
        assertThatThrownBy(() -> new LoadRequestEvent(ID, "w", List.of(), 0, 0, 0, 0))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("0 keys");
        assertThatThrownBy(() -> new LoadRequestEvent(ID, "w", Collections.nCopies(513, Samples.KEY), 0, 0, 0, 0))
                .hasMessageContaining("513 keys");
        assertThatThrownBy(() -> new LoadRequestEvent(ID, "", one, 0, 0, 0, 0)).hasMessageContaining("0 UTF-8 bytes");
        assertThatThrownBy(() -> new LoadRequestEvent(ID, "w".repeat(257), one, 0, 0, 0, 0))
                .hasMessageContaining("257");
        assertThatThrownBy(() -> new LoadRequestEvent(ID, "w", one, -1, 0, 0, 0))
                .hasMessageContaining("epoch -1");
        assertThatThrownBy(() -> new LoadRequestEvent(ID, "w", one, 0, 0, -2, 0))
                .hasMessageContaining("partition -2");
        assertThatThrownBy(() -> ReplyEventCodec.chunkFrame(ID, Samples.KEY, 5, 10, 0, 6))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("6 bytes at offset 5");
        assertThatThrownBy(() -> ReplyEventCodec.chunkFrame(ID, Samples.KEY, 0, 0, 0, 1))
                .hasMessageContaining("0 bytes");
    }

    @Test
    void aDetailThatIsTooLongIsCutBetweenCharacters() {
        String detail = "x".repeat(1023) + "ü" + "y".repeat(100);
        byte[] event = ReplyEventCodec.encodeStatus(new ReplyEvent.Status(ID, null, LoadAnswer.LATE, detail));

        assertThat(ReplyEventCodec.decode(event))
                .isEqualTo(new ReplyEvent.Status(ID, null, LoadAnswer.LATE, "x".repeat(1023)));
    }

    @Test
    void thePayloadIsAViewOfTheRecord() {
        byte[] frame = ReplyEventCodec.chunkFrame(ID, Samples.KEY, 0, 3, 7, 3);
        ReplyEventCodec.payload(frame, 3).put(new byte[] {1, 2, 3});
        ByteBuffer payload = ((ReplyEvent.Chunk) ReplyEventCodec.decode(frame)).payload();

        frame[frame.length - 1] = 9;

        assertThat(payload).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 9}));
        assertThat(payload.capacity()).isEqualTo(3);
    }

    @Test
    void eventsOfAnotherTopicAreNamed() {
        byte[] request = LoadRequestCodec.encode(LoadSamples.request());
        byte[] status = ReplyEventCodec.encodeStatus(LoadSamples.status());

        assertThatThrownBy(() -> ReplyEventCodec.decode(request))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContainingAll("LoadRequest", "replies");
        assertThatThrownBy(() -> LoadRequestCodec.decode(status))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContainingAll("LoadStatus", "LoadRequest");
        assertThatThrownBy(() -> BlockEventCodec.decode(Samples.KEY.toBytes(), request))
                .hasMessageContainingAll("LoadRequest", "blocks");
        assertThatThrownBy(() -> LoadRequestCodec.decode(null)).isInstanceOf(InvalidEventException.class);
        assertThatThrownBy(() -> ReplyEventCodec.decode(null)).isInstanceOf(InvalidEventException.class);
    }

    @Test
    void everyTruncationIsNoticed() {
        for (byte[] event : LoadSamples.encodedOfEachKind()) {
            for (int length = 0; length < event.length; length++) {
                byte[] cut = Arrays.copyOf(event, length);
                assertThatThrownBy(() -> ReplyEventCodec.decode(cut)).isInstanceOf(InvalidEventException.class);
                assertThatThrownBy(() -> LoadRequestCodec.decode(cut)).isInstanceOf(InvalidEventException.class);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {301, 302, 303})
    void noBytesMakeThemThrowAnythingElse(long seed) {
        Random random = new Random(seed);
        List<byte[]> valid = LoadSamples.encodedOfEachKind();
        List<String> said = new ArrayList<>();
        for (int i = 0; i < 6_000; i++) {
            byte[] event = BlockEventCodecTest.mutated(valid.get(i % valid.size()), random);
            try {
                assertThat(LoadRequestCodec.decode(event).keys()).isNotEmpty();
            } catch (InvalidEventException e) {
                said.add(String.valueOf(e.getMessage()));
            }
            try {
                assertThat(ReplyEventCodec.decode(event).requestId()).isNotNull();
            } catch (InvalidEventException e) {
                said.add(String.valueOf(e.getMessage()));
            }
        }
        assertThat(said).isNotEmpty().allSatisfy(message -> assertThat(message).hasSizeBetween(10, 400));
    }
}
