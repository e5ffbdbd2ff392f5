package io.kvern.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.model.BlockId;
import io.kvern.model.ChunkHeader;
import io.kvern.protocol.ClusterLayout.PinnedTopic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any Avro client can read what is written here, and write what is read here. */
class AvroInteropTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void ourBytesAreThoseOfAvroItself(long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < 250; i++) {
            Samples.Sample sample = Samples.random(random);
            byte[] ours = BlockEventCodec.encodeChunk(sample.header(), ByteBuffer.wrap(sample.payload()));

            assertThat(ours).isEqualTo(AvroPeer.encode(sample.header(), sample.payload()));
            assertSame(sample, AvroPeer.decode(EventSchema.BLOCK_CHUNK_V1, ours));
        }
    }

    private static void assertSame(Samples.Sample sample, GenericRecord read) {
        ChunkHeader header = sample.header();
        GenericRecord publishId = (GenericRecord) read.get("publishId");
        ByteBuffer incarnation = ByteBuffer.wrap(((GenericData.Fixed) publishId.get("incarnation")).bytes());
        assertThat(incarnation.getLong()).isEqualTo(header.publishId().incarnationHigh());
        assertThat(incarnation.getLong()).isEqualTo(header.publishId().incarnationLow());
        assertThat(publishId.get("sequence")).isEqualTo(header.publishId().sequence());
        assertThat(read.get("epoch")).isEqualTo(header.epoch());
        assertThat(read.get("mode")).hasToString(header.mode().name());
        assertThat(read.get("totalLength")).isEqualTo(header.totalLength());
        assertThat(read.get("offset")).isEqualTo(header.offset());
        assertThat(read.get("blockCrc")).isEqualTo(header.blockCrc());
        assertThat(read.get("chunkCrc")).isEqualTo(header.chunkCrc());
        assertThat(AvroPeer.components(read)).isEqualTo(header.components());
        BlockId parent = header.parentId();
        assertThat(read.get("parentId")).isEqualTo(parent == null ? null : ByteBuffer.wrap(parent.toBytes()));
        assertThat(read.get("createdAt")).isEqualTo(header.createdAtMillis());
        assertThat(read.get("expiresAt")).isEqualTo(header.expiresAtMillis() == 0 ? null : header.expiresAtMillis());
        assertThat(read.get("payload")).isEqualTo(ByteBuffer.wrap(sample.payload()));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {5, 6})
    void requestsAndRepliesAreThoseOfAvroItself(long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < 100; i++) {
            LoadRequestEvent request = LoadSamples.request(random);
            assertThat(LoadRequestCodec.encode(request)).isEqualTo(AvroPeer.encode(request));
            ReplyEvent.Chunk chunk = LoadSamples.chunk(random);
            assertThat(LoadSamples.encoded(chunk)).isEqualTo(AvroPeer.encode(chunk));
            ReplyEvent.Status status = LoadSamples.status(random);
            assertThat(ReplyEventCodec.encodeStatus(status)).isEqualTo(AvroPeer.encode(status));

            GenericRecord read = AvroPeer.decode(EventSchema.LOADED_CHUNK_V1, LoadSamples.encoded(chunk));
            assertThat(read.get("key")).isEqualTo(chunk.key().asBuffer());
            assertThat(read.get("offset")).isEqualTo(chunk.offset());
            assertThat(read.get("payload")).isEqualTo(chunk.payload());
        }
    }

    @Test
    void aLayoutIsReadByAnyAvroClient() throws IOException {
        UUID id = new UUID(1, 2);
        byte[] ours = ClusterLayoutCodec.encode(ClusterLayout.of(Map.of("kvern.blocks", new PinnedTopic(id, 8))));

        GenericRecord read = AvroPeer.decode(EventSchema.CLUSTER_LAYOUT_V1, ours);

        List<?> topics = (List<?>) read.get("topics");
        assertThat(topics).hasSize(1);
        GenericRecord topic = (GenericRecord) topics.getFirst();
        assertThat(topic.get("name")).hasToString("kvern.blocks");
        assertThat(topic.get("partitions")).isEqualTo(8);
        assertThat(((GenericData.Fixed) topic.get("topicId")).bytes())
                .isEqualTo(ByteBuffer.allocate(16).putLong(1).putLong(2).array());
    }

    @Test
    void payloadStandsLastSoThatItCanBeSliced() {
        for (EventSchema chunk : List.of(EventSchema.BLOCK_CHUNK_V1, EventSchema.LOADED_CHUNK_V1)) {
            List<Schema.Field> fields = chunk.schema().getFields();
            assertThat(fields.getLast().name()).isEqualTo("payload");
        }
    }
}
