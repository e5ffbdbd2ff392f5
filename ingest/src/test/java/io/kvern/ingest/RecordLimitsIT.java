package io.kvern.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.ingest.PublishOutcome.Failed;
import io.kvern.ingest.PublishOutcome.Published;
import io.kvern.model.BlockId;
import io.kvern.model.InvalidInputException;
import io.kvern.model.Namespace;
import io.kvern.protocol.BlockEvent;
import io.kvern.protocol.Topics;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One side's record limit is 1 MiB, then too small, in turn: blocks pass in chunks, or the setting is named; neighbours go on. */
@Timeout(60)
class RecordLimitsIT {
    private static final Namespace NAMESPACE = Namespace.opaque("limits");
    private static final int MIB = 1 << 20;
    private static final int TOO_SMALL = 300 << 10;
    private static final int MAX_BLOCK = 2 * MIB;

    @TempDir
    private static Path dir;

    private static TestBroker broker;

    private final Topics topics = TestBroker.topics();

    @BeforeAll
    static void start() {
        broker = new TestBroker(dir);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private PublisherConfig publisher() {
        return PublisherConfig.of(broker.bootstrap(), topics.blocks(), 1)
                .withSizes(Topics.CHUNK_PAYLOAD_BYTES, MAX_BLOCK);
    }

    private AdminConfig admin() {
        return AdminConfig.of(broker.bootstrap(), topics)
                .withTopics(1, 1, 1L << 30)
                .withSizes(Topics.CHUNK_PAYLOAD_BYTES, MAX_BLOCK);
    }

    @Test
    void withOneMebibyteEverywhereBlocksUpToTheLimitPassAndLargerOnesAreRefused() throws Exception {
        Map<String, Object> narrow = Map.of("fetch.max.bytes", MIB, "max.partition.fetch.bytes", MIB);
        PublisherConfig config = publisher().withClientProperties(Map.of("max.request.size", Integer.toString(MIB)));
        makeBlocksTopic(MIB);
        try (TopicAdmin admin = TopicAdmin.open(admin().withClients(config.producerSettings(), narrow))) {
            admin.ensure();
            assertThat(admin.check()).isEmpty();
        }
        try (BlockPublisher publisher = new BlockPublisher(config)) {
            List<Publication> fitting = Stream.of(MAX_BLOCK - 1, MAX_BLOCK, MIB - 1, MIB, MIB + 1)
                    .map(length -> publish(publisher, length))
                    .toList();
            for (int over : new int[] {MAX_BLOCK + 1, 10 * MAX_BLOCK}) {
                assertThatThrownBy(() -> publish(publisher, over))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContainingAll(
                                Integer.toString(over), Integer.toString(MAX_BLOCK), "block.max.bytes");
            }
            for (Publication publication : fitting) {
                BlockPublisherIT.published(publication);
            }
        }
        assertThat(bytesRead(narrow)).isEqualTo(2L * MAX_BLOCK + 3L * MIB - 1);
    }

    @Test
    void aTopicLimitBelowAChunkIsNamedByTheCheckAndByTheBlock() throws Exception {
        makeBlocksTopic(TOO_SMALL);
        try (TopicAdmin admin = TopicAdmin.open(admin())) {
            admin.ensure();
            assertThat(admin.check())
                    .anySatisfy(finding -> assertThat(finding.toString())
                            .startsWith("ERROR: topic " + topics.blocks() + ": max.message.bytes is " + TOO_SMALL));
        }
        assertOnlyTheLargeOneFails(
                publisher().withClientProperties(Map.of("batch.size", "16384")),
                "max.message.bytes of topic " + topics.blocks());
        // Batches of two chunks go round in circles, and would until the delivery timeout.
        try (BlockPublisher publisher = new BlockPublisher(publisher())) {
            long begin = System.nanoTime();
            // Small ones may be behind such a batch until the publisher has noticed; then none is.
            for (int round = 0; round < 3; round++) {
                Failed failed = BlockPublisherIT.failed(publish(publisher, MAX_BLOCK));
                assertThat(failed.reason()).contains(topics.blocks(), "max.message.bytes");
                assertThat(untilPublished(publisher)).isNotNull();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
        }
        // The other way out that the check names: smaller chunks, and batches to match.
        PublisherConfig smaller = publisher()
                .withSizes(256 << 10, MAX_BLOCK)
                .withClientProperties(Map.of("batch.size", Integer.toString(270 << 10)));
        AdminConfig fitting = admin().withSizes(256 << 10, MAX_BLOCK).withClients(smaller.producerSettings(), Map.of());
        try (TopicAdmin admin = TopicAdmin.open(fitting)) {
            assertThat(admin.check()).isEmpty();
        }
        try (BlockPublisher publisher = new BlockPublisher(smaller)) {
            BlockPublisherIT.published(publish(publisher, MAX_BLOCK));
        }
    }

    @Test
    void aTopicLimitBetweenAChunkAndABatchIsSlowerButPasses() throws Exception {
        int between = (int) SettingsCheck.largestRecord(Topics.CHUNK_PAYLOAD_BYTES);
        makeBlocksTopic(between);
        try (TopicAdmin admin = TopicAdmin.open(admin())) {
            admin.ensure();
            assertThat(admin.check())
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.toString())
                            .startsWith("ERROR: topic " + topics.blocks() + ": max.message.bytes is " + between)
                            .contains("batch.size"));
        }
        try (BlockPublisher publisher = new BlockPublisher(publisher())) {
            // Blocks may fail while the publisher finds out, each told so at once and not after 30 s; then all pass.
            int passedInARow = 0;
            for (int block = 0; block < 12 && passedInARow < 4; block++) {
                PublishOutcome outcome = publish(publisher, MAX_BLOCK).outcome().get(10, TimeUnit.SECONDS);
                passedInARow = outcome instanceof Published ? passedInARow + 1 : 0;
                if (outcome instanceof Failed failed) {
                    assertThat(failed.reason()).contains(topics.blocks(), "max.message.bytes", "batch.size of 1048576");
                }
            }
            assertThat(passedInARow).isEqualTo(4);
        }
    }

    @Test
    void aProducerLimitBelowAChunkIsNamedByTheCheckAndByTheBlock() throws Exception {
        for (String setting : List.of("max.request.size", "buffer.memory")) {
            PublisherConfig config = publisher()
                    .withClientProperties(Map.of(setting, Integer.toString(TOO_SMALL), "batch.size", "16384"));
            try (TopicAdmin admin = TopicAdmin.open(admin().withClients(config.producerSettings(), Map.of()))) {
                admin.ensure();
                assertThat(admin.check())
                        .anySatisfy(finding -> assertThat(finding.toString())
                                .startsWith("ERROR: producer: " + setting + " is " + TOO_SMALL));
            }
            assertOnlyTheLargeOneFails(config, setting);
        }
    }

    @Test
    void aConsumerLimitBelowAChunkOnlySlowsAndIsWarnedOf() throws Exception {
        Map<String, Object> narrow = Map.of("fetch.max.bytes", TOO_SMALL, "max.partition.fetch.bytes", TOO_SMALL);
        try (TopicAdmin admin = TopicAdmin.open(admin().withClients(publisher().producerSettings(), narrow))) {
            admin.ensure();
            assertThat(admin.check())
                    .allMatch(finding -> finding.severity() == Finding.Severity.WARN)
                    .extracting(Finding::setting)
                    .containsExactly("fetch.max.bytes", "max.partition.fetch.bytes");
        }
        try (BlockPublisher publisher = new BlockPublisher(publisher())) {
            BlockPublisherIT.published(publish(publisher, MAX_BLOCK));
        }
        assertThat(bytesRead(narrow)).isEqualTo(MAX_BLOCK);
    }

    @Test
    void brokerLimitsAreNamedByTheCheckAndABlockFailsInTime(@TempDir Path other) throws Exception {
        Map<String, String> narrow = Map.of(
                "message.max.bytes", Integer.toString(TOO_SMALL),
                "socket.request.max.bytes", Integer.toString(MIB),
                "queued.max.request.bytes", Integer.toString(64 * MIB));
        try (TestBroker strict = new TestBroker(other, 0, narrow)) {
            strict.create(topics.blocks(), 1, Map.of());
            AdminConfig admin = AdminConfig.of(strict.bootstrap(), topics).withTopics(1, 1, 1L << 30);
            try (TopicAdmin check = TopicAdmin.open(admin)) {
                assertThat(check.check().stream().map(Finding::toString).toList())
                        .anySatisfy(line -> assertThat(line)
                                .startsWith("ERROR: topic " + topics.blocks())
                                .contains("message.max.bytes", Integer.toString(TOO_SMALL)))
                        .anySatisfy(line ->
                                assertThat(line).startsWith("ERROR: broker 1: socket.request.max.bytes is " + MIB));
            }
            PublisherConfig config = PublisherConfig.of(strict.bootstrap(), topics.blocks(), 1)
                    .withDeliveryTimeout(Duration.ofSeconds(3));
            try (BlockPublisher publisher = new BlockPublisher(config)) {
                BlockPublisherIT.failed(publish(publisher, MAX_BLOCK));
                assertThat(untilPublished(publisher)).isNotNull();
            }
        }
    }

    private static void assertOnlyTheLargeOneFails(PublisherConfig config, String setting) throws Exception {
        try (BlockPublisher publisher = new BlockPublisher(config)) {
            List<Publication> small = new ArrayList<>();
            small.add(publish(publisher, 1000));
            Publication large = publish(publisher, MAX_BLOCK);
            small.add(publish(publisher, 1000));
            small.add(publish(publisher, 1001));

            Failed failed = BlockPublisherIT.failed(large);
            assertThat(failed.reason()).contains(setting);
            for (Publication publication : small) {
                BlockPublisherIT.published(publication);
            }
        }
    }

    /** The broker cuts the connection of a request that is too large, with whatever else was on its way in it. */
    private static Published untilPublished(BlockPublisher publisher) throws Exception {
        for (int attempt = 0; attempt < 5; attempt++) {
            if (publish(publisher, 1000).outcome().get() instanceof Published published) {
                return published;
            }
        }
        throw new AssertionError("no small block passed: " + publisher.stats());
    }

    /** As it would be made, but for this limit; set from its beginning, since a change reaches the broker's log later. */
    private void makeBlocksTopic(int maxMessageBytes) throws Exception {
        Map<String, String> settings =
                new HashMap<>(admin().definitions().getFirst().settings());
        settings.put("max.message.bytes", Integer.toString(maxMessageBytes));
        broker.create(topics.blocks(), 1, settings);
    }

    private long bytesRead(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", broker.bootstrap());
        try (var consumer = new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> only = List.of(new TopicPartition(topics.blocks(), 0));
            consumer.assign(only);
            consumer.seekToBeginning(only);
            long end = consumer.endOffsets(only).getOrDefault(only.getFirst(), 0L);
            long bytes = 0;
            while (consumer.position(only.getFirst()) < end) {
                for (var entry : consumer.poll(Duration.ofMillis(200))) {
                    bytes +=
                            ((BlockEvent.Chunk) LogReader.event(entry)).header().length();
                }
            }
            return bytes;
        }
    }

    private static Publication publish(BlockPublisher publisher, int length) {
        return publisher.publish(BlockPut.of(NAMESPACE, BlockId.of("b" + length)), ByteBuffer.allocate(length));
    }
}
