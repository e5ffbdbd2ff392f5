package io.kvern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.app.node.NodeRuntime;
import io.kvern.ingest.BlockPublisher;
import io.kvern.ingest.Publication;
import io.kvern.ingest.PublishOutcome;
import io.kvern.model.CacheSpec;
import io.kvern.model.Namespace;
import io.kvern.worker.load.BlockLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mixed blocks through a real broker into a store, then each of them loaded, with equal bytes. */
class IngestIT {
    private static final long MIB = 1 << 20;
    private static final long TOTAL = Long.getLong("kvern.ingest.mib", 1024) * MIB;
    private static final Namespace ENGINE = Namespace.of(
            "test/engine",
            new CacheSpec.Engine("bf16", 32, 8, 128, 64, 1, "layer,kv,token", "sha256", "0", "1", "weights-1"));

    @TempDir
    private Path dir;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void mixedBlocksOfSeveralProducersComeBackExactly() throws Exception {
        long seed = Long.getLong("kvern.seed", System.nanoTime());
        System.out.println("IngestIT seed " + seed + ", " + TOTAL / MIB + " MiB");
        List<Payload> blocks = mix(new Random(seed));
        // Two producers' blocks of up to 32 MiB lie open on eight partitions at once, within a sixteenth of the
        // capacity.
        String room = Math.max(TOTAL * 2, 16L << 30) / MIB + "MiB";
        Map<String, String> settings = Map.of(
                "store.capacity.bytes",
                room,
                "topics.retention.bytes",
                room,
                "publish.max.wait",
                "60s",
                "publish.budget.bytes",
                "96MiB");
        try (Cluster cluster = new Cluster(dir, settings);
                NodeRuntime node = cluster.node("node");
                BlockLoader loader = Cluster.loader(ENGINE, node)) {
            assertThat(node.awaitReady(Duration.ofSeconds(60))).isTrue();

            // Two producers send the same blocks in different orders at once: their chunks interleave, and every
            // block comes twice.
            List<Payload> other = new ArrayList<>(blocks);
            Collections.shuffle(other, new Random(seed + 1));
            AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
            Thread second = Thread.ofPlatform().name("second-producer").start(() -> {
                try {
                    publishAll(cluster, other.subList(0, other.size() / 2));
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            publishAll(cluster, blocks);
            second.join();
            assertThat(failure.get()).isNull();

            assertThat(node.awaitApplied(Duration.ofMinutes(2))).isTrue();
            Blocks.assertAllLoad(loader, blocks);
            assertThat(node.node().store().stats().corrupt()).isZero();
            assertThat(node.node().store().stats().conflicts()).isZero();
            assertThat(node.node().store().stats().blocks()).isEqualTo(blocks.size());
        }
    }

    private static void publishAll(Cluster cluster, List<Payload> blocks) throws Exception {
        // Blocks are made when they are sent; what waits for its acknowledgement is bounded.
        Semaphore window = new Semaphore(64);
        List<Publication> publications = new ArrayList<>();
        try (BlockPublisher publisher = cluster.publisher()) {
            for (Payload block : blocks) {
                window.acquire();
                Publication publication = Blocks.publish(publisher, block);
                var _ = publication.released().whenComplete((done, error) -> window.release());
                publications.add(publication);
            }
            for (Publication publication : publications) {
                assertThat(Blocks.outcome(publication)).isInstanceOf(PublishOutcome.Published.class);
            }
        }
    }

    /** Sizes from 1 KiB to 32 MiB with many odd ones, sixteen of 16 MiB or more first. */
    private static List<Payload> mix(Random random) {
        List<Payload> blocks = new ArrayList<>();
        long bytes = 0;
        for (int i = 0; bytes < TOTAL; i++) {
            int size;
            if (i < 16) {
                size = (int) (16 * MIB) + random.nextInt((int) (16 * MIB) + 1);
            } else {
                size = switch (random.nextInt(8)) {
                    case 0 -> 1024 + random.nextInt(1 << 16);
                    case 1 -> 508 << 10;
                    case 2 -> (508 << 10) + 1;
                    case 3 -> 576 << 10;
                    case 4 -> 4 << 20;
                    case 5 -> 10 << 20;
                    default -> 1024 + random.nextInt(1 << 21);
                };
            }
            blocks.add(new Payload(ENGINE, "block-" + i, size, 0));
            bytes += size;
        }
        Collections.shuffle(blocks, random);
        return blocks;
    }
}
