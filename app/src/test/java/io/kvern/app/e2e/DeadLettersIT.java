package io.kvern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.app.node.Directories;
import io.kvern.app.node.NodeRuntime;
import io.kvern.ingest.BlockPublisher;
import io.kvern.model.BlockId;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Crc32c;
import io.kvern.model.PublishId;
import io.kvern.model.WriteMode;
import io.kvern.protocol.BlockEventCodec;
import io.kvern.worker.load.BlockLoader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records that can never be valid end in the dead letters with their reason; their neighbours load. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DeadLettersIT {
    @TempDir
    private Path dir;

    @Test
    void whatCanNeverBeValidIsPutAsideAndItsNeighboursLoad() throws Exception {
        try (Cluster cluster = new Cluster(dir, Map.of("topics.partitions", "1"))) {
            List<Payload> neighbours = new ArrayList<>();
            Map<String, byte[]> bad = badRecords();
            try (NodeRuntime node = cluster.readyNode("node")) {
                BlockPublisher publisher = node.publisher();
                try (KafkaProducer<byte[], byte[]> producer = producer(cluster)) {
                    int i = 0;
                    for (Map.Entry<String, byte[]> letter : bad.entrySet()) {
                        Payload before = new Payload(Namespaces.ENGINE, "neighbour-" + i++, 700_000, 0);
                        Blocks.published(Blocks.publish(publisher, before));
                        neighbours.add(before);
                        byte @Nullable [] key = letter.getKey().equals("no key") ? null : key(letter.getKey());
                        producer.send(new ProducerRecord<>("kvern.blocks", 0, key, letter.getValue()))
                                .get(30, TimeUnit.SECONDS);
                    }
                    Payload last = new Payload(Namespaces.ENGINE, "neighbour-last", 700_000, 0);
                    Blocks.published(Blocks.publish(publisher, last));
                    neighbours.add(last);
                    // At the log's end: Streams hands records without a key to no restore, and the node is current all
                    // the
                    // same.
                    producer.send(new ProducerRecord<>("kvern.blocks", 0, null, valid("no key")))
                            .get(30, TimeUnit.SECONDS);
                }
                assertThat(node.awaitApplied(Duration.ofSeconds(60))).isTrue();
                try (BlockLoader loader = Cluster.loader(Namespaces.ENGINE, node)) {
                    Blocks.assertAllLoad(loader, neighbours);
                }
                assertThat(node.node().status())
                        .containsEntry("dead_letters", Integer.toString(bad.size() + 1))
                        .containsEntry("thread_failures", "0");
            }
            assertDeadLetters(cluster, bad);

            // The same bytes in a restore, where no handler stands behind: counted, and the node comes up.
            Directories.delete(cluster.dataDir("node"));
            try (NodeRuntime node = cluster.readyNode("node");
                    BlockLoader loader = Cluster.loader(Namespaces.ENGINE, node)) {
                Blocks.assertAllLoad(loader, neighbours);
                assertThat(node.node().status())
                        .containsEntry("invalid_in_restore", Integer.toString(bad.size() - 1))
                        .containsEntry("thread_failures", "0");
            }
        }
    }

    /** Each kind of record that no store can take, by its name, which is also the id in its key. */
    private static Map<String, byte[]> badRecords() throws IOException {
        Map<String, byte[]> bad = new LinkedHashMap<>();
        bad.put("no key", valid("no key"));
        bad.put("undecodable", new byte[] {1, 2, 3});
        bad.put("empty", new byte[0]);
        byte[] foreign = valid("unknown schema");
        foreign[5] ^= 0x55; // within the fingerprint of the schema
        bad.put("unknown schema", foreign);
        byte[] cut = valid("torn");
        bad.put("torn", Arrays.copyOf(cut, cut.length - 10));
        bad.put("offset beyond the end", avro(100, 60, 50));
        bad.put("negative offset", avro(100, -1, 50));
        bad.put("no total length", avro(0, 0, 50));
        bad.put("negative total length", avro(-5, 0, 50));
        bad.put("total length of two GiB", avro(Integer.MAX_VALUE, 0, 50));
        bad.put("empty payload", avro(100, 0, 0));
        bad.put("wrong chunk CRC", chunk("wrong chunk CRC", 1, 0));
        bad.put("wrong block CRC", chunk("wrong block CRC", 0, 1));
        return bad;
    }

    private static byte[] key(String id) {
        return Namespaces.ENGINE.key(BlockId.of(id)).toBytes();
    }

    private static byte[] valid(String id) {
        return chunk(id, 0, 0);
    }

    private static byte[] chunk(String id, int wrongChunkCrc, int wrongBlockCrc) {
        ByteBuffer payload = new Payload(Namespaces.ENGINE, id, 5000, 0).bytes();
        int crc = Crc32c.of(payload);
        ChunkHeader header = new ChunkHeader(
                new PublishId(1, 2, 3),
                0,
                WriteMode.IF_ABSENT,
                5000,
                0,
                5000,
                crc ^ wrongBlockCrc,
                crc ^ wrongChunkCrc,
                List.of(),
                null,
                0,
                0);
        return BlockEventCodec.encodeChunk(header, payload);
    }

    /** Written by Avro itself: our own encoder refuses such numbers. */
    private static byte[] avro(int totalLength, int offset, int payloadLength) throws IOException {
        Schema schema;
        try (InputStream json = Objects.requireNonNull(
                BlockEventCodec.class.getResourceAsStream("/io/kvern/event/BlockChunk.v1.avsc"))) {
            schema = new Schema.Parser().parse(json);
        }
        byte[] payload = new byte[payloadLength];
        GenericData.Record publishId =
                new GenericData.Record(schema.getField("publishId").schema());
        publishId.put(
                "incarnation",
                new GenericData.Fixed(
                        publishId.getSchema().getField("incarnation").schema(), new byte[16]));
        publishId.put("sequence", 7L);
        GenericData.Record chunk = new GenericData.Record(schema);
        chunk.put("publishId", publishId);
        chunk.put("epoch", 0L);
        chunk.put("mode", new GenericData.EnumSymbol(schema.getField("mode").schema(), "IF_ABSENT"));
        chunk.put("totalLength", totalLength);
        chunk.put("offset", offset);
        chunk.put("blockCrc", 0);
        chunk.put("chunkCrc", Crc32c.of(ByteBuffer.wrap(payload)));
        chunk.put("components", List.of());
        chunk.put("parentId", null);
        chunk.put("createdAt", 0L);
        chunk.put("expiresAt", null);
        chunk.put("payload", ByteBuffer.wrap(payload));
        ByteBuffer encoded = new BinaryMessageEncoder<GenericData.Record>(new GenericData(), schema).encode(chunk);
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return bytes;
    }

    private static void assertDeadLetters(Cluster cluster, Map<String, byte[]> bad) {
        List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", cluster.bootstrap(), "auto.offset.reset", "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition("kvern.dead-letters", 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (letters.size() <= bad.size() && System.nanoTime() < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(letters::add);
            }
        }
        assertThat(letters).hasSize(bad.size() + 1);
        int i = 0;
        for (Map.Entry<String, byte[]> sent : bad.entrySet()) {
            ConsumerRecord<byte[], byte[]> letter = letters.get(i++);
            assertThat(letter.value()).as("value of '%s'", sent.getKey()).isEqualTo(sent.getValue());
            if (sent.getKey().equals("no key")) {
                assertThat(letter.key()).isNull();
            } else {
                assertThat(letter.key()).as("key of '%s'", sent.getKey()).isEqualTo(key(sent.getKey()));
            }
            assertThat(header(letter, "kvern.topic")).isEqualTo("kvern.blocks");
            assertThat(header(letter, "kvern.partition")).isEqualTo("0");
            assertThat(header(letter, "kvern.offset")).matches("\\d+");
            assertThat(header(letter, "kvern.reason"))
                    .as("reason of '%s'", sent.getKey())
                    .isNotBlank();
            System.out.printf("dead letter '%s': %s%n", sent.getKey(), header(letter, "kvern.reason"));
        }
    }

    private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
        return new String(
                Objects.requireNonNull(letter.headers().lastHeader(name), name).value(), UTF_8);
    }

    private static KafkaProducer<byte[], byte[]> producer(Cluster cluster) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", cluster.bootstrap(), "acks", "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }
}
