package io.kvern.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.protocol.ClusterLayout.PinnedTopic;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Bytes of each version, written once by Avro's own encoder and never again. A change that fails here makes every log
 * unreadable; a new version gets new files and keeps these.
 */
class GoldenBytesTest {
    @Test
    void schemaFingerprintsStayWhatTheyAre() {
        assertThat(HexFormat.of().toHexDigits(EventSchema.BLOCK_CHUNK_V1.fingerprint()))
                .isEqualTo("b35472b3c92fd205");
        assertThat(HexFormat.of().toHexDigits(EventSchema.CLUSTER_LAYOUT_V1.fingerprint()))
                .isEqualTo("fa95000744cd68cb");
        assertThat(HexFormat.of().toHexDigits(EventSchema.LOAD_REQUEST_V1.fingerprint()))
                .isEqualTo("79f7269d9ff41927");
        assertThat(HexFormat.of().toHexDigits(EventSchema.LOADED_CHUNK_V1.fingerprint()))
                .isEqualTo("c7d9d26ad640ba74");
        assertThat(HexFormat.of().toHexDigits(EventSchema.LOAD_STATUS_V1.fingerprint()))
                .isEqualTo("c22b60436314ebee");
    }

    @Test
    void aChunkWithEverythingV1() throws IOException {
        assertBothWays("block-chunk-full.v1.bin", Samples.full());
    }

    @Test
    void aChunkWithNothingOptionalV1() throws IOException {
        assertBothWays("block-chunk-plain.v1.bin", Samples.plain());
    }

    @Test
    void requestsAndRepliesV1() throws IOException {
        byte[] request = golden("load-request.v1.bin");
        assertThat(LoadRequestCodec.encode(LoadSamples.request())).isEqualTo(request);
        assertThat(LoadRequestCodec.decode(request)).isEqualTo(LoadSamples.request());

        byte[] chunk = golden("loaded-chunk.v1.bin");
        assertThat(LoadSamples.encoded(LoadSamples.chunk())).isEqualTo(chunk);
        assertThat(ReplyEventCodec.decode(chunk)).isEqualTo(LoadSamples.chunk());

        byte[] status = golden("load-status.v1.bin");
        assertThat(ReplyEventCodec.encodeStatus(LoadSamples.status())).isEqualTo(status);
        assertThat(ReplyEventCodec.decode(status)).isEqualTo(LoadSamples.status());
        byte[] all = golden("load-status-all.v1.bin");
        assertThat(ReplyEventCodec.decode(all)).isEqualTo(LoadSamples.statusOfAll());
    }

    @Test
    void aClusterLayoutV1() throws IOException {
        byte[] golden = golden("cluster-layout.v1.bin");
        ClusterLayout layout = ClusterLayout.of(Map.of(
                "kvern.blocks",
                new PinnedTopic(UUID.fromString("01234567-89ab-cdef-fedc-ba9876543210"), 8),
                "kvern.control",
                new PinnedTopic(UUID.fromString("ffffffff-ffff-4fff-bfff-ffffffffffff"), 1)));

        assertThat(ClusterLayoutCodec.encode(layout)).isEqualTo(golden);
        assertThat(ClusterLayoutCodec.decode(golden)).isEqualTo(layout);
    }

    private static void assertBothWays(String file, Samples.Sample sample) throws IOException {
        byte[] golden = golden(file);

        assertThat(BlockEventCodec.encodeChunk(sample.header(), ByteBuffer.wrap(sample.payload())))
                .isEqualTo(golden);
        assertThat(BlockEventCodec.decode(Samples.KEY.toBytes(), golden))
                .isEqualTo(new BlockEvent.Chunk(Samples.KEY, sample.header(), ByteBuffer.wrap(sample.payload())));
    }

    private static byte[] golden(String file) throws IOException {
        try (InputStream in = GoldenBytesTest.class.getResourceAsStream("/golden/" + file)) {
            assertThat(in).as(file).isNotNull();
            return in.readAllBytes();
        }
    }
}
