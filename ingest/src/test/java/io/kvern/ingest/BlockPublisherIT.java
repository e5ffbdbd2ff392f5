package io.kvern.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.ingest.PublishOutcome.Failed;
import io.kvern.ingest.PublishOutcome.Published;
import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Component;
import io.kvern.model.Crc32c;
import io.kvern.model.InvalidInputException;
import io.kvern.model.Namespace;
import io.kvern.model.PublishId;
import io.kvern.model.WriteMode;
import io.kvern.protocol.BlockEvent;
import io.kvern.protocol.Partitioning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BlockPublisherIT {
    private static final Namespace NAMESPACE = Namespace.opaque("publisher");
    private static final int PARTITIONS = 4;

    @TempDir
    private static Path dir;

    private static TestBroker broker;

    @BeforeAll
    static void start() {
        broker = new TestBroker(dir);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void blocksOfEverySizeAndKindOfMemoryArriveInWhole() throws Exception {
        String topic = broker.topic(PARTITIONS, Map.of());
        PublisherConfig config = PublisherConfig.of(broker.bootstrap(), topic, PARTITIONS);
        int chunk = config.chunkPayloadBytes();
        int[] lengths = {1, 1000, chunk - 1, chunk, chunk + 1, 2 * chunk, 2 * chunk + 1, 10 * chunk, 16 << 20};
        Map<BlockKey, byte[]> sent = new HashMap<>();
        Map<BlockKey, Published> outcomes = new HashMap<>();
        try (BlockPublisher publisher = new BlockPublisher(config);
                Arena arena = Arena.ofShared()) {
            List<Publication> publications = new ArrayList<>();
            for (int i = 0; i < lengths.length; i++) {
                byte[] bytes = bytes(i, lengths[i]);
                BlockPut put = BlockPut.of(NAMESPACE, BlockId.of("block-" + i));
                sent.put(put.key(), bytes);
                MemorySegment segment = arena.allocate(lengths[i]).copyFrom(MemorySegment.ofArray(bytes));
                publications.add(
                        switch (i % 3) {
                            case 0 -> publisher.publish(put, ByteBuffer.wrap(bytes));
                            case 1 -> publisher.publish(put, segment.asByteBuffer());
                            default -> publisher.publish(put, segment);
                        });
            }
            for (Publication publication : publications) {
                outcomes.put(publication.key(), published(publication));
                assertThat(publication.released()).isCompleted();
            }
            assertThat(publisher.stats().publishedBlocks()).isEqualTo(lengths.length);
            assertThat(publisher.stats().publishedBytes())
                    .isEqualTo(IntStream.of(lengths).asLongStream().sum());
            assertThat(publisher.stats().inFlight()).isZero();
            assertThat(publisher.stats().inFlightBytes()).isZero();
        }

        Map<BlockKey, List<ConsumerRecord<byte[], byte[]>>> read = new HashMap<>();
        for (var entry : LogReader.records(broker.bootstrap(), topic, PARTITIONS)) {
            read.computeIfAbsent(BlockKey.decode(entry.key()), key -> new ArrayList<>())
                    .add(entry);
        }
        assertThat(read.keySet()).isEqualTo(sent.keySet());
        for (var outcome : outcomes.entrySet()) {
            BlockKey key = outcome.getKey();
            assertWhole(
                    key,
                    sent.getOrDefault(key, new byte[0]),
                    read.getOrDefault(key, List.of()),
                    outcome.getValue(),
                    chunk);
        }
    }

    private static void assertWhole(
            BlockKey key, byte[] bytes, List<ConsumerRecord<byte[], byte[]>> records, Published outcome, int chunk) {
        assertThat(outcome.partition()).isEqualTo(Partitioning.partitionOf(key.slot(), PARTITIONS));
        assertThat(records.getFirst().offset()).isEqualTo(outcome.firstOffset());
        assertThat(records.getLast().offset()).isEqualTo(outcome.lastOffset());
        assertThat(records).hasSize(Math.ceilDiv(bytes.length, chunk));
        ByteBuffer whole = ByteBuffer.allocate(bytes.length);
        PublishId publishId = ((BlockEvent.Chunk) LogReader.event(records.getFirst()))
                .header()
                .publishId();
        for (var entry : records) {
            BlockEvent.Chunk event = (BlockEvent.Chunk) LogReader.event(entry);
            ChunkHeader header = event.header();
            assertThat(entry.partition()).isEqualTo(outcome.partition());
            assertThat(header.offset()).isEqualTo(whole.position());
            assertThat(header.totalLength()).isEqualTo(bytes.length);
            assertThat(header.publishId()).isEqualTo(publishId);
            assertThat(header.blockCrc()).isEqualTo(Crc32c.of(ByteBuffer.wrap(bytes)));
            assertThat(header.chunkCrc()).isEqualTo(Crc32c.of(event.payload()));
            whole.put(event.payload());
        }
        assertThat(whole.array()).isEqualTo(bytes);
    }

    @Test
    void whatTheCallerSaysOfABlockTravelsOnItsFirstChunk() throws Exception {
        String topic = broker.topic(1, Map.of());
        PublisherConfig config =
                PublisherConfig.of(broker.bootstrap(), topic, 1).withSizes(1024, 1 << 20);
        List<Component> components =
                List.of(new Component(Component.Kind.KEY, 1500), new Component(Component.Kind.VALUE, 500));
        BlockPut put = new BlockPut(
                NAMESPACE.key(BlockId.of("b")), WriteMode.SET, 3, components, BlockId.of("a"), 1_900_000_000_000L);
        try (BlockPublisher publisher = new BlockPublisher(config, () -> Instant.ofEpochMilli(123))) {
            published(publisher.publish(put, ByteBuffer.allocate(2000)));
            assertThat(publisher.remove(put.key()).get(20, TimeUnit.SECONDS)).isEqualTo(new Published(0, 2, 2));
            assertThat(publisher.stats().removals()).isEqualTo(1);
        }

        List<BlockEvent> events = LogReader.records(broker.bootstrap(), topic, 1).stream()
                .map(LogReader::event)
                .toList();
        assertThat(events).hasSize(3);
        ChunkHeader first = ((BlockEvent.Chunk) events.get(0)).header();
        assertThat(first.components()).isEqualTo(components);
        assertThat(first.parentId()).isEqualTo(put.parentId());
        assertThat(first.mode()).isEqualTo(WriteMode.SET);
        assertThat(first.epoch()).isEqualTo(3);
        assertThat(first.createdAtMillis()).isEqualTo(123);
        assertThat(first.expiresAtMillis()).isEqualTo(1_900_000_000_000L);
        ChunkHeader second = ((BlockEvent.Chunk) events.get(1)).header();
        assertThat(second.components()).isEmpty();
        assertThat(second.expiresAtMillis()).isEqualTo(first.expiresAtMillis());
        assertThat(events.get(2)).isEqualTo(new BlockEvent.Remove(put.key()));
    }

    @Test
    void twoPublishersInterleaveWithoutMixing() throws Exception {
        String topic = broker.topic(1, Map.of());
        PublisherConfig config =
                PublisherConfig.of(broker.bootstrap(), topic, 1).withSizes(4096, 1 << 20);
        BlockPut put = BlockPut.of(NAMESPACE, BlockId.of("shared"));
        byte[][] versions = {bytes(1, 300_000), bytes(2, 300_000)};
        try (BlockPublisher one = new BlockPublisher(config);
                BlockPublisher two = new BlockPublisher(config)) {
            List<Publication> all = new ArrayList<>();
            for (int round = 0; round < 10; round++) {
                all.add(one.publish(put, ByteBuffer.wrap(versions[0])));
                all.add(two.publish(put, ByteBuffer.wrap(versions[1])));
            }
            for (Publication publication : all) {
                published(publication);
            }
        }

        Map<PublishId, ByteBuffer> assembled = new HashMap<>();
        for (var entry : LogReader.records(broker.bootstrap(), topic, 1)) {
            BlockEvent.Chunk chunk = (BlockEvent.Chunk) LogReader.event(entry);
            ByteBuffer block = assembled.computeIfAbsent(
                    chunk.header().publishId(),
                    id -> ByteBuffer.allocate(chunk.header().totalLength()));
            assertThat(block.position()).isEqualTo(chunk.header().offset());
            block.put(chunk.payload());
        }
        assertThat(assembled).hasSize(20);
        assertThat(assembled.keySet().stream().map(PublishId::incarnationLow).distinct())
                .hasSize(2);
        assembled
                .values()
                .forEach(block ->
                        assertThat(block.flip()).isIn(ByteBuffer.wrap(versions[0]), ByteBuffer.wrap(versions[1])));
    }

    @Test
    void aTopicMadeAMomentAgoTakesTheFirstBlocksOfEveryPartition() throws Exception {
        for (int round = 0; round < 3; round++) {
            int partitions = 40;
            PublisherConfig config = PublisherConfig.of(
                            broker.bootstrap(), TestBroker.topics().blocks(), partitions)
                    .withSizes(1024, 1 << 20)
                    .withDeliveryTimeout(Duration.ofSeconds(10));
            try (BlockPublisher publisher = new BlockPublisher(config)) {
                // Waiting for the topic already when it is made: the leaders take office under the first records.
                List<Publication> all = new ArrayList<>();
                for (int i = 0; i < 400; i++) {
                    all.add(publisher.publish(
                            BlockPut.of(NAMESPACE, BlockId.of("early-" + i)), ByteBuffer.allocate(100)));
                }
                broker.create(config.topic(), partitions, Map.of());
                for (Publication publication : all) {
                    published(publication);
                }
            }
            assertThat(LogReader.records(broker.bootstrap(), config.topic(), partitions))
                    .hasSize(400);
        }
    }

    @Test
    void whatCanNeverBeABlockIsRefusedAtOnce() throws Exception {
        String topic = broker.topic(1, Map.of());
        PublisherConfig config =
                PublisherConfig.of(broker.bootstrap(), topic, 1).withSizes(1024, 4096);
        BlockPut put = BlockPut.of(NAMESPACE, BlockId.of("x"));
        try (BlockPublisher publisher = new BlockPublisher(config)) {
            assertThatThrownBy(() -> publisher.publish(put, ByteBuffer.allocate(0)))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("0 bytes");
            assertThatThrownBy(() -> publisher.publish(put, ByteBuffer.allocate(4097)))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContainingAll("4097", "4096", "block.max.bytes");
            assertThatThrownBy(() -> publisher.publish(put, MemorySegment.ofArray(new byte[0])))
                    .isInstanceOf(InvalidInputException.class);
            BlockPut lying =
                    new BlockPut(put.key(), put.mode(), 0, List.of(new Component(Component.Kind.KEY, 5)), null, 0);
            assertThatThrownBy(() -> publisher.publish(lying, ByteBuffer.allocate(6)))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("components of 5 bytes");
            try (Arena confined = Arena.ofConfined()) {
                MemorySegment segment = confined.allocate(10);
                assertThatThrownBy(() -> publisher.publish(put, segment))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("confined");
            }
            assertThat(publisher.stats().inFlightBytes()).isZero();
            published(publisher.publish(put, ByteBuffer.allocate(4096)));
        }
        assertThat(LogReader.records(broker.bootstrap(), topic, 1)).hasSize(4);
    }

    @Test
    void aMissingTopicIsNamedWithTheCommandThatMakesIt() throws Exception {
        PublisherConfig config =
                PublisherConfig.of(broker.bootstrap(), "no.such.topic", 1).withDeliveryTimeout(Duration.ofMillis(1500));
        try (BlockPublisher publisher = new BlockPublisher(config)) {
            Publication publication =
                    publisher.publish(BlockPut.of(NAMESPACE, BlockId.of("x")), ByteBuffer.allocate(10));
            assertThat(failed(publication).reason()).contains("no.such.topic", "does not exist", "kvern topics create");
            assertThat(publication.released()).isCompleted();
        }
    }

    @Test
    void aTopicOfOtherPartitionsThanPinnedTakesNothing() throws Exception {
        String topic = broker.topic(3, Map.of());
        try (BlockPublisher publisher = new BlockPublisher(PublisherConfig.of(broker.bootstrap(), topic, 4))) {
            Publication publication =
                    publisher.publish(BlockPut.of(NAMESPACE, BlockId.of("x")), ByteBuffer.allocate(10));
            assertThat(failed(publication).reason()).contains(topic, "3 partitions", "4");
        }
        assertThat(LogReader.records(broker.bootstrap(), topic, 3)).isEmpty();
    }

    @Test
    void flushWaitsForWhatWasAcceptedBefore() throws Exception {
        String topic = broker.topic(1, Map.of());
        try (BlockPublisher publisher = new BlockPublisher(PublisherConfig.of(broker.bootstrap(), topic, 1))) {
            List<Publication> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                all.add(publisher.publish(BlockPut.of(NAMESPACE, BlockId.of("f" + i)), ByteBuffer.allocate(100_000)));
            }
            assertThat(publisher.flush(Duration.ofSeconds(20))).isTrue();
            assertThat(all)
                    .allSatisfy(each ->
                            assertThat(each.outcome()).isCompletedWithValueMatching(Published.class::isInstance));
        }
    }

    static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static Published published(Publication publication) throws Exception {
        PublishOutcome outcome = publication.outcome().get(40, TimeUnit.SECONDS);
        assertThat(outcome).isInstanceOf(Published.class);
        return (Published) outcome;
    }

    static Failed failed(Publication publication) throws Exception {
        PublishOutcome outcome = publication.outcome().get(40, TimeUnit.SECONDS);
        assertThat(outcome).isInstanceOf(Failed.class);
        return (Failed) outcome;
    }
}
