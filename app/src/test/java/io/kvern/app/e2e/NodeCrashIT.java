package io.kvern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.app.node.ClusterTopics;
import io.kvern.ingest.BlockPublisher;
import io.kvern.ingest.Publication;
import io.kvern.ingest.PublishOutcome;
import io.kvern.model.CacheSpec;
import io.kvern.model.Namespace;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.LoaderConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store node is killed with SIGKILL at random moments while blocks come in; nothing that Kafka acknowledged is lost. */
class NodeCrashIT {
    private static final int ROUNDS = Integer.getInteger("kvern.crash.rounds", 5);
    private static final Namespace ENGINE = Namespace.of(
            "test/crash",
            new CacheSpec.Engine("bf16", 32, 8, 128, 64, 1, "layer,kv,token", "sha256", "0", "1", "weights-1"));

    /** Sync points far more often than blocks end, so that kills fall between and inside of both. */
    private static final List<String> SETTINGS = List.of(
            "store.capacity.bytes=8GiB",
            "store.min.free.bytes=0",
            "store.sync.bytes=1MiB",
            "store.sync.interval=20ms",
            "store.segment.bytes=32MiB",
            // A killed node keeps its partitions until its session ends; the next one waits that long.
            "kafka.main.consumer.session.timeout.ms=3000",
            "kafka.main.consumer.heartbeat.interval.ms=500");

    @TempDir
    private Path dir;

    private final ConcurrentLinkedQueue<Payload> acknowledged = new ConcurrentLinkedQueue<>();

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void nothingAcknowledgedIsLostByKillsNorByTheLossOfTheDirectory() throws Exception {
        long seed = Long.getLong("kvern.seed", System.nanoTime());
        System.out.println("NodeCrashIT seed " + seed + ", " + ROUNDS + " rounds");
        Random random = new Random(seed);
        Path log = dir.resolve("store.log");
        Path data = dir.resolve("data");
        try (Cluster cluster = new Cluster(
                dir,
                Map.of("topics.partitions", "4", "topics.retention.bytes", "8GiB", "publish.budget.bytes", "96MiB"))) {
            ClusterTopics.create(cluster.config("topics"));
            Producer producer = new Producer(cluster, new Random(seed + 1));
            int verified = 0;
            for (int round = 0; round < ROUNDS; round++) {
                try (StoreProcess store = StoreProcess.start(cluster.bootstrap(), data, log, SETTINGS)) {
                    store.awaitPort(60);
                    producer.resume();
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100 + random.nextInt(1_500)));
                    store.kill();
                    producer.pause();
                }
                try (StoreProcess store = StoreProcess.start(cluster.bootstrap(), data, log, SETTINGS)) {
                    verified = verify(store, round);
                    if (random.nextBoolean()) {
                        store.kill();
                    } else {
                        assertThat(store.stop(40)).isEqualTo(143);
                    }
                }
            }
            producer.close();
            assertThat(verified).as("blocks verified in the last round").isGreaterThan(ROUNDS);

            // The node and all its files are gone: the log brings everything back.
            delete(data);
            try (StoreProcess store = StoreProcess.start(cluster.bootstrap(), data, log, SETTINGS)) {
                verify(store, ROUNDS);
            }
        } catch (Throwable e) {
            System.err.println("The store's log:\n" + (Files.exists(log) ? Files.readString(log) : "(none)"));
            throw e;
        }
    }

    private int verify(StoreProcess store, int round) throws Exception {
        int port = store.awaitPort(60);
        List<Payload> expected = List.copyOf(acknowledged);
        try (BlockLoader loader = new BlockLoader(
                LoaderConfig.of(ENGINE, List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))))) {
            Blocks.assertAllLoad(loader, expected);
        }
        System.out.printf("NodeCrashIT round %d: %d blocks verified%n", round, expected.size());
        return expected.size();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            walk.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    /** Publishes blocks of 1 KiB to 4 MiB while it is not paused; remembers those that Kafka acknowledged. */
    private final class Producer {
        private final BlockPublisher publisher;
        private final AtomicBoolean running = new AtomicBoolean(true);
        private final AtomicBoolean paused = new AtomicBoolean(true);
        private final Semaphore window = new Semaphore(16);
        private final Thread thread;

        Producer(Cluster cluster, Random random) {
            publisher = cluster.publisher();
            thread = Thread.ofPlatform().name("crash-producer").start(() -> run(random));
        }

        private void run(Random random) {
            for (int i = 0; running.get(); i++) {
                while (paused.get() && running.get()) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                }
                int size = random.nextInt(4) == 0 ? 1 << 22 : 1024 + random.nextInt(1 << 20);
                Payload block = new Payload(ENGINE, "crash-" + i, size, 0);
                window.acquireUninterruptibly();
                Publication publication = Blocks.publish(publisher, block);
                var _ = publication.outcome().thenAccept(outcome -> {
                    if (outcome instanceof PublishOutcome.Published) {
                        acknowledged.add(block);
                    }
                    window.release();
                });
                // About 60 MB/s: the kill shall fall into work, not end the disk.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }

        void resume() {
            paused.set(false);
        }

        /** Returns when every block that was sent has its outcome. */
        void pause() {
            paused.set(true);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            window.acquireUninterruptibly(16);
            window.release(16);
        }

        void close() throws InterruptedException {
            running.set(false);
            thread.join();
            publisher.close();
        }
    }
}
