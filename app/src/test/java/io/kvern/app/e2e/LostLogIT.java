package io.kvern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.app.node.Directories;
import io.kvern.app.node.NodeRuntime;
import io.kvern.ingest.BlockPublisher;
import io.kvern.worker.load.BlockLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** The broker comes back from an older copy of its disk: the log has lost its end, which the node had applied. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class LostLogIT {
    @TempDir
    private Path dir;

    @ParameterizedTest
    @CsvSource({"true, true", "false, true", "true, false"})
    void theNodeFollowsTheLogThatThereIs(boolean nodeRunsOn, boolean recordsFollow) throws Exception {
        List<Payload> kept = Blocks.some(Namespaces.ENGINE, "kept-", 10, 300_000);
        List<Payload> lost = Blocks.some(Namespaces.ENGINE, "lost-", 30, 300_000);
        List<Payload> after = recordsFollow ? Blocks.some(Namespaces.ENGINE, "after-", 5, 300_000) : List.of();
        Path copy = dir.resolve("copy");
        try (Cluster cluster = new Cluster(dir, Map.of("topics.partitions", "1", "node.silence", "2s"))) {
            try (NodeRuntime node = cluster.readyNode("node")) {
                Blocks.store(node.publisher(), node, kept);
                set(node, "value", "first");
            }
            cluster.stopBroker();
            copy(cluster.brokerDir(), copy);
            cluster.restartBroker();

            NodeRuntime node = cluster.readyNode("node");
            try {
                Blocks.store(node.publisher(), node, lost);
                set(node, "value", "second");
                set(node, "other", "lost too");
                if (!nodeRunsOn) {
                    node.close();
                }
                cluster.stopBroker();
                Directories.delete(cluster.brokerDir());
                copy(copy, cluster.brokerDir());
                cluster.restartBroker();
                if (!nodeRunsOn) {
                    node = cluster.node("node");
                }
                // Fewer records than were lost: their offsets are ones that the node has applied before.
                try (BlockPublisher publisher = cluster.publisher()) {
                    for (Payload payload : after) {
                        Blocks.published(Blocks.publish(publisher, payload));
                    }
                }
                NodeRuntime running = node;
                try (BlockLoader loader = Cluster.loader(Namespaces.ENGINE, running)) {
                    Await.until(
                            "the node has followed the log",
                            () -> running.node().ready()
                                    && running.node().store().stats().blocks()
                                            >= kept.size() + lost.size() + after.size() + 1
                                    && "first".equals(get(running, "value")));
                    Blocks.assertAllLoad(loader, kept);
                    Blocks.assertAllLoad(loader, after);
                    // What can never be stale stays, though its log is gone.
                    Blocks.assertAllLoad(loader, lost);
                }
                assertThat(get(running, "other")).isNull();
                assertThat(running.node().status()).containsEntry("thread_failures", "0");
            } finally {
                node.close();
            }
        }
    }

    private static void set(NodeRuntime node, String id, String value) {
        try (Jedis redis = RedisClientIT.redis(node, "test/opaque")) {
            redis.set(id, value);
        }
    }

    private static @Nullable String get(NodeRuntime node, String id) {
        try (Jedis redis = RedisClientIT.redis(node, "test/opaque")) {
            return redis.get(id);
        } catch (JedisDataException e) {
            assertThat(e).hasMessageStartingWith("TRYAGAIN");
            return "unsure";
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
