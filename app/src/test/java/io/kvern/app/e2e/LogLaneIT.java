package io.kvern.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.app.node.NodeRuntime;
import io.kvern.app.node.Wiring;
import io.kvern.ingest.BlockPublisher;
import io.kvern.ingest.BlockPut;
import io.kvern.ingest.Publication;
import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.Crc32c;
import io.kvern.protocol.LoadRequestCodec;
import io.kvern.protocol.LoadRequestEvent;
import io.kvern.protocol.Partitioning;
import io.kvern.worker.load.BlockLoad;
import io.kvern.worker.load.LoadRequest;
import io.kvern.worker.load.LoadResult;
import io.kvern.worker.load.LoadStatus;
import io.kvern.worker.log.LogLoader;
import io.kvern.worker.log.LogLoaderConfig;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Loads through Kafka alone. One broker and one node, which some tests stop and start again. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class LogLaneIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int PARTITIONS = 4;
    private static final Payload SMALL = new Payload(Namespaces.ENGINE, "small", 1024, 0);

    @TempDir
    private static Path dir;

    private static @Nullable Cluster sharedCluster;
    private static @Nullable NodeRuntime sharedNode;

    @BeforeAll
    static void start() throws Exception {
        // Blocks pile up faster than one thread applies them only where the publisher may wait.
        sharedCluster = new Cluster(dir, Map.of("publish.max.wait", "30s"));
        sharedNode = sharedCluster.readyNode("node");
        Blocks.store(node().publisher(), node(), List.of(SMALL));
    }

    @AfterAll
    static void stop() {
        node().close();
        cluster().close();
    }

    private static Cluster cluster() {
        return Objects.requireNonNull(sharedCluster);
    }

    private static NodeRuntime node() {
        return Objects.requireNonNull(sharedNode);
    }

    private static long counter(String name) {
        return Long.parseLong(node().node().status().getOrDefault("log_lane_" + name, "-1"));
    }

    @Test
    void blocksOfEverySizeComeExactly() throws Exception {
        List<Payload> blocks = new ArrayList<>();
        for (int size : new int[] {1, 2, 1000, 4096, 520_191, 520_192, 520_193, 1 << 20, (4 << 20) + 1, 16 << 20}) {
            blocks.add(new Payload(Namespaces.ENGINE, "sized-" + size, size, 0));
        }
        List<Payload> opaque = Blocks.some(Namespaces.OPAQUE, "set-", 10, 100_000);
        Blocks.store(node().publisher(), node(), blocks);
        Blocks.store(node().publisher(), node(), opaque);
        long answered = counter("answered");

        try (LogLoader loader = cluster().logLoader(Namespaces.ENGINE, "sizes")) {
            Blocks.assertAllLoad(loader, blocks);
            // Beside what is there: what is not, what does not fit, and the same block twice.
            ByteBuffer tight = Blocks.patterned(999);
            List<LoadRequest> mixed = List.of(
                    new LoadRequest(BlockId.of("sized-1000"), Blocks.patterned(1000)),
                    new LoadRequest(BlockId.of("absent"), Blocks.patterned(10)),
                    new LoadRequest(BlockId.of("sized-1000"), tight),
                    new LoadRequest(BlockId.of("sized-1000"), Blocks.patterned(2000)));
            LoadResult result = loader.load(mixed, DEADLINE);

            assertThat(result.blocks())
                    .extracting(BlockLoad::status)
                    .containsExactly(LoadStatus.LOADED, LoadStatus.MISS, LoadStatus.REFUSED, LoadStatus.LOADED);
            assertThat(result.blocks().get(2).detail()).contains("1000 bytes", "room for 999");
            assertThat(tight).isEqualTo(Blocks.patterned(999));
            assertThat(result.prefix()).isEqualTo(1);
            for (int i : new int[] {0, 3}) {
                assertThat(blocks.get(2).equalsBytes(mixed.get(i).destination().flip()))
                        .isTrue();
            }
        }
        try (LogLoader loader = cluster().logLoader(Namespaces.OPAQUE, "sizes")) {
            Blocks.assertAllLoad(loader, opaque);
        }
        assertThat(counter("answered") - answered).isEqualTo(blocks.size() + opaque.size() + 1);
    }

    @Test
    void aFreshLoaderMissesNoReply() {
        LogLoaderConfig config = Wiring.logLoader(cluster().config("worker"), Namespaces.ENGINE, "fresh");
        for (int i = 0; i < 50; i++) {
            try (LogLoader loader = new LogLoader(config.withReplyPartition(i % PARTITIONS))) {
                Blocks.assertAllLoad(loader, List.of(SMALL));
                // Not by asking twice.
                assertThat(loader.stats().requests()).isEqualTo(1);
            }
        }
    }

    @Test
    void twoLoadersOnOnePartitionGetTheirOwn() throws Exception {
        List<Payload> ones = Blocks.some(Namespaces.ENGINE, "ones-", 12, 700_000);
        // The same ids in another namespace: what is delivered to the wrong one shows.
        List<Payload> twos = Blocks.some(Namespaces.OPAQUE, "ones-", 12, 700_000);
        Blocks.store(node().publisher(), node(), ones);
        Blocks.store(node().publisher(), node(), twos);

        try (LogLoader one = cluster().logLoader(Namespaces.ENGINE, "pair");
                LogLoader two = cluster().logLoader(Namespaces.OPAQUE, "pair");
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<?> first = threads.submit(() -> repeat(5, () -> Blocks.assertAllLoad(one, ones)));
            Future<?> second = threads.submit(() -> repeat(5, () -> Blocks.assertAllLoad(two, twos)));
            first.get(2, TimeUnit.MINUTES);
            second.get(2, TimeUnit.MINUTES);

            assertThat(one.stats().loaded()).isEqualTo(60);
            assertThat(two.stats().loaded()).isEqualTo(60);
            assertThat(one.stats().foreign() + two.stats().foreign()).isPositive();
        }
    }

    private static void repeat(int times, Runnable action) {
        for (int i = 0; i < times; i++) {
            action.run();
        }
    }

    @Test
    void aLateReplyTouchesNothing() throws Exception {
        Payload large = new Payload(Namespaces.ENGINE, "large", 16 << 20, 0);
        Blocks.store(node().publisher(), node(), List.of(large));
        try (LogLoader loader = cluster().logLoader(Namespaces.ENGINE, "late")) {
            Blocks.assertAllLoad(loader, List.of(SMALL));
            ByteBuffer destination = Blocks.patterned(large.length());
            List<LoadRequest> requests = List.of(new LoadRequest(BlockId.of(large.id()), destination));
            // Too short for the block, long enough for the node to begin with it.
            for (int millis = 3; ; millis++) {
                long foreign = loader.stats().foreign();
                LoadStatus status = loader.load(requests, Duration.ofMillis(millis))
                        .blocks()
                        .getFirst()
                        .status();
                int left = Crc32c.of(destination.duplicate().clear());
                if (status == LoadStatus.LOADED) {
                    break; // a fast machine
                }
                assertThat(status).isEqualTo(LoadStatus.LATE);
                assertThat(destination.position()).isZero();
                // Whatever is said next comes behind what is late.
                Blocks.assertAllLoad(loader, List.of(SMALL));
                assertThat(Crc32c.of(destination.duplicate().clear())).isEqualTo(left);
                if (loader.stats().foreign() - foreign > 5) {
                    break; // chunks came late, and were nobody's
                }
            }
            Blocks.assertAllLoad(loader, List.of(large));
            assertThat(loader.load(requests, Duration.ZERO).blocks().getFirst().status())
                    .isEqualTo(LoadStatus.LATE);
        }
    }

    @Test
    void aReplyThatItsTopicDoesNotTakeIsSaidAtOnce() throws Exception {
        Payload large = new Payload(Namespaces.ENGINE, "too large to reply", 3 << 20, 0);
        Blocks.store(node().publisher(), node(), List.of(large));
        try (LogLoader loader = cluster().logLoader(Namespaces.ENGINE, "limited")) {
            Blocks.assertAllLoad(loader, List.of(large));
            limitReplies("100000");
            BlockLoad load = Blocks.load(loader, large.id(), large.length(), DEADLINE);
            assertThat(load.status()).isEqualTo(LoadStatus.REFUSED);
            assertThat(load.detail()).contains("kvern.replies", "max.message.bytes");
            Blocks.assertAllLoad(loader, List.of(SMALL));
            limitReplies("1048588");
            Blocks.assertAllLoad(loader, List.of(large));
        }
        assertThat(node().node().status()).containsEntry("thread_failures", "0");
    }

    private static void limitReplies(String bytes) throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "kvern.replies");
        ConfigEntry limit = new ConfigEntry("max.message.bytes", bytes);
        try (Admin admin = cluster().admin()) {
            admin.incrementalAlterConfigs(Map.of(topic, List.of(new AlterConfigOp(limit, AlterConfigOp.OpType.SET))))
                    .all()
                    .get(30, TimeUnit.SECONDS);
            Await.until(
                    "the limit is " + bytes,
                    () -> bytes.equals(Objects.requireNonNull(admin.describeConfigs(List.of(topic))
                                    .all()
                                    .get(30, TimeUnit.SECONDS)
                                    .get(topic))
                            .get("max.message.bytes")
                            .value()));
        }
    }

    @Test
    void recordsThatAreNoRequestsStopNothing() throws Exception {
        BlockKey key = Namespaces.ENGINE.key(BlockId.of(SMALL.id()));
        int partition = Partitioning.partitionOf(key.slot(), PARTITIONS);
        long letters = Long.parseLong(node().node().status().getOrDefault("dead_letters", ""));
        long dropped = counter("dropped");
        long refused = counter("refused");
        long deadline = System.currentTimeMillis() + 60_000;
        byte[] valid = request(key, deadline, 0);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", cluster().bootstrap()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            byte[] cut = Arrays.copyOf(valid, valid.length - 1);
            for (byte[] value : new byte[][] {"garbage".getBytes(UTF_8), cut, null}) {
                producer.send(new ProducerRecord<>("kvern.loads", partition, key.toBytes(), value))
                        .get(30, TimeUnit.SECONDS);
            }
            // Replies to nowhere, and a block that is another partition's.
            for (int nowhere : new int[] {PARTITIONS, Integer.MAX_VALUE}) {
                byte[] value = request(key, deadline, nowhere);
                producer.send(new ProducerRecord<>("kvern.loads", partition, null, value))
                        .get(30, TimeUnit.SECONDS);
            }
            producer.send(new ProducerRecord<>("kvern.loads", (partition + 1) % PARTITIONS, null, valid))
                    .get(30, TimeUnit.SECONDS);
        }

        try (LogLoader loader = cluster().logLoader(Namespaces.ENGINE, "after")) {
            Blocks.assertAllLoad(loader, List.of(SMALL));
        }
        Await.until("the other partition's is refused", () -> counter("refused") == refused + 1);
        assertThat(counter("dropped")).isEqualTo(dropped + 2);
        assertThat(node().node().status())
                .containsEntry("dead_letters", Long.toString(letters + 3))
                .containsEntry("thread_failures", "0");
    }

    private static byte[] request(BlockKey key, long deadline, int replyPartition) {
        return LoadRequestCodec.encode(
                new LoadRequestEvent(UUID.randomUUID(), "test", List.of(key), 0, deadline, replyPartition, 0));
    }

    @Test
    void withoutANodeALoadIsLateAndWithOneItWorksAgain() throws Exception {
        try (LogLoader loader = cluster().logLoader(Namespaces.ENGINE, "patient")) {
            Blocks.assertAllLoad(loader, List.of(SMALL));
            node().close();
            long begin = System.nanoTime();
            BlockLoad load = Blocks.load(loader, SMALL.id(), SMALL.length(), Duration.ofSeconds(1));
            assertThat(load.status()).isIn(LoadStatus.LATE, LoadStatus.UNSURE);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));

            sharedNode = cluster().node("node");
            // At once, while it restores: unsure until it is current, then there.
            Blocks.assertAllLoad(loader, List.of(SMALL));
            BlockLoad absent = Blocks.load(loader, "absent", 10, DEADLINE);
            assertThat(absent.status()).as(absent.detail()).isEqualTo(LoadStatus.MISS);
        }
    }

    @Test
    void aBacklogOfBlocksDoesNotHoldUpLoads() throws Exception {
        List<Publication> publications = new ArrayList<>();
        try (LogLoader loader = cluster().logLoader(Namespaces.ENGINE, "hurried");
                BlockPublisher publisher = cluster().publisher()) {
            Payload filler = new Payload(Namespaces.ENGINE, "filler", 4 << 20, 0);
            ByteBuffer bytes = filler.bytes();
            for (int i = 0; i < 60; i++) {
                publications.add(publisher.publish(
                        BlockPut.of(Namespaces.ENGINE, BlockId.of("backlog-" + i)), bytes.duplicate()));
                if (i % 4 == 0) {
                    Blocks.assertAllLoad(loader, List.of(SMALL));
                }
            }
            for (Publication publication : publications) {
                Blocks.published(publication);
            }
            Blocks.assertAllLoad(loader, List.of(SMALL));
            assertThat(node().awaitApplied(DEADLINE)).isTrue();
            ByteBuffer last = Blocks.patterned(4 << 20);
            assertThat(loader.load(List.of(new LoadRequest(BlockId.of("backlog-59"), last)), DEADLINE)
                            .prefix())
                    .isEqualTo(1);
            assertThat(last.flip()).isEqualTo(bytes);
        }
    }
}
