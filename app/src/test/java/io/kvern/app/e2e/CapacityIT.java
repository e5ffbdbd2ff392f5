package io.kvern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.app.node.NodeRuntime;
import io.kvern.ingest.BlockPublisher;
import io.kvern.store.StoreStats;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.LoadStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** A store with less room than blocks. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class CapacityIT {
    private static final long CAPACITY = 64 << 20;

    @TempDir
    private Path dir;

    @Test
    void oldBlocksGoNewOnesStayAndSoDoesTheNode() throws Exception {
        List<Payload> blocks = Blocks.some(Namespaces.ENGINE, "many-", 250, 1 << 20);
        try (Cluster cluster = new Cluster(
                        dir,
                        Map.of(
                                "store.capacity.bytes", Long.toString(CAPACITY),
                                "topics.retention.bytes", "1GiB",
                                "publish.max.wait", "30s"));
                NodeRuntime node = cluster.readyNode("node");
                BlockPublisher publisher = cluster.publisher();
                BlockLoader loader = Cluster.loader(Namespaces.ENGINE, node)) {
            for (int from = 0; from < blocks.size(); from += 50) {
                Blocks.store(publisher, node, blocks.subList(from, from + 50));
                assertThat(node.node().store().stats().diskBytes()).isLessThanOrEqualTo(CAPACITY);
            }

            Blocks.assertAllLoad(loader, blocks.subList(blocks.size() - 25, blocks.size()));
            int loaded = 0;
            for (Payload block : blocks) {
                LoadStatus status = Blocks.status(loader, block);
                assertThat(status).isIn(LoadStatus.LOADED, LoadStatus.MISS);
                loaded += status == LoadStatus.LOADED ? 1 : 0;
            }
            assertThat(Blocks.status(loader, blocks.getFirst())).isEqualTo(LoadStatus.MISS);
            StoreStats stats = node.node().store().stats();
            assertThat(stats.evictedBlocks()).isGreaterThan(150);
            // At least half of the room holds blocks, and what is counted is what loads.
            assertThat(stats.liveBytes()).isGreaterThan(CAPACITY / 2);
            assertThat(loaded).isEqualTo((int) stats.blocks()).isLessThan(100);
            assertThat(stats.corrupt()).isZero();
            assertThat(node.node().status()).containsEntry("thread_failures", "0");
        }
    }

    @Test
    void aDiskThatIsFullRefusesBlocksAndGoesOnServing() throws Exception {
        List<Payload> early = Blocks.some(Namespaces.ENGINE, "early-", 20, 500_000);
        List<Payload> late = Blocks.some(Namespaces.ENGINE, "late-", 20, 500_000);
        try (Cluster cluster = new Cluster(dir, Map.of())) {
            try (NodeRuntime node = cluster.readyNode("node")) {
                Blocks.store(node.publisher(), node, early);
                try (Jedis redis = RedisClientIT.redis(node, "test/opaque")) {
                    redis.set("value", "first");
                }
            }
            // As if others had filled the disk: more is to be left free than there is.
            long more = Files.getFileStore(dir).getTotalSpace() * 2;
            try (NodeRuntime node =
                            Cluster.ready(cluster.node("node", Map.of("store.min.free.bytes", Long.toString(more))));
                    BlockLoader loader = Cluster.loader(Namespaces.ENGINE, node)) {
                Blocks.store(node.publisher(), node, late);

                assertThat(node.node().store().stats().refused()).isEqualTo(late.size());
                Blocks.assertAllLoad(loader, early);
                assertThat(Blocks.load(loader, late.getFirst().id(), 500_000, Duration.ofSeconds(20))
                                .status())
                        .isEqualTo(LoadStatus.MISS);
                try (Jedis redis = RedisClientIT.redis(node, "test/opaque")) {
                    assertThat(redis.get("value")).isEqualTo("first");
                    assertThatThrownBy(() -> redis.set("value", "second"))
                            .isInstanceOf(JedisDataException.class)
                            .hasMessageContaining("store.capacity.bytes");
                    // The older value is stale now.
                    assertThat(redis.get("value")).isNull();
                }
                assertThat(node.node().status()).containsEntry("thread_failures", "0");
            }
        }
    }
}
