package io.kvern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.app.node.NodeRuntime;
import io.kvern.model.BlockId;
import io.kvern.streams.Certainty;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.LoadStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** Two nodes of one group. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class TwoNodesIT {
    private static final int PARTITIONS = 4;

    @TempDir
    private Path dir;

    @Test
    void aStandbyHoldsAllBlocksAndTakesOver() throws Exception {
        List<Payload> blocks = Blocks.some(Namespaces.ENGINE, "replicated-", 60, 700_000);
        try (Cluster cluster = new Cluster(dir, Map.of("node.standby.replicas", "1"))) {
            NodeRuntime owner = cluster.readyNode("owner");
            try (NodeRuntime second = startSecond(cluster, owner, blocks)) {
                Await.until(
                        "the second node has a copy of each block",
                        () -> second.node().store().stats().blocks() == blocks.size());
                try (BlockLoader loader = Cluster.loader(Namespaces.ENGINE, second)) {
                    Blocks.assertAllLoad(loader, blocks);
                }
                // More blocks while both run: the copies follow.
                List<Payload> more = Blocks.some(Namespaces.ENGINE, "followed-", 20, 300_000);
                Blocks.store(owner.publisher(), owner, more);
                Await.until(
                        "the copies have followed",
                        () -> second.node().store().stats().blocks() == blocks.size() + more.size());

                owner.close();
                Cluster.ready(second);

                assertThat(second.node().owned()).isEqualTo(PARTITIONS);
                try (BlockLoader loader = Cluster.loader(Namespaces.ENGINE, second)) {
                    Blocks.assertAllLoad(loader, blocks);
                    Blocks.assertAllLoad(loader, more);
                    assertThat(Blocks.load(loader, "absent", 10, Duration.ofSeconds(20))
                                    .status())
                            .isEqualTo(LoadStatus.MISS);
                }
                assertThat(second.node().store().stats().stored())
                        .as("each block came once")
                        .isEqualTo(blocks.size() + more.size());
            } finally {
                owner.close();
            }
        }
    }

    private static NodeRuntime startSecond(Cluster cluster, NodeRuntime owner, List<Payload> blocks) throws Exception {
        Blocks.store(owner.publisher(), owner, blocks);
        return cluster.node("second");
    }

    @Test
    void aKeyOfAnotherNodeIsNotNilButTryAgain() throws Exception {
        try (Cluster cluster = new Cluster(dir, Map.of("door.unsure.wait", "200ms"));
                NodeRuntime one = cluster.readyNode("one");
                NodeRuntime two = cluster.node("two")) {
            Await.until(
                    "each node owns half",
                    () -> one.node().owned() == PARTITIONS / 2
                            && two.node().owned() == PARTITIONS / 2
                            && one.node().ready()
                            && two.node().ready());
            String ones = idOf(one, two);
            String twos = idOf(two, one);
            try (Jedis atOne = RedisClientIT.redis(one, "test/opaque");
                    Jedis atTwo = RedisClientIT.redis(two, "test/opaque")) {
                atOne.set(ones, "kept by one");
                atTwo.set(twos, "kept by two");

                assertThat(atOne.get(ones)).isEqualTo("kept by one");
                assertThat(atTwo.get(twos)).isEqualTo("kept by two");
                for (Runnable elsewhere : List.<Runnable>of(
                        () -> atOne.get(twos),
                        () -> atTwo.get(ones),
                        () -> atTwo.exists(ones),
                        () -> atTwo.strlen(ones),
                        () -> atTwo.set(ones, "other"))) {
                    assertThatThrownBy(elsewhere::run)
                            .isInstanceOf(JedisDataException.class)
                            .hasMessageStartingWith("TRYAGAIN");
                }
                assertThat(atOne.get(ones)).isEqualTo("kept by one");
            }
            // A loader that knows both finds either.
            try (BlockLoader loader = Cluster.loader(Namespaces.OPAQUE, two, one)) {
                for (String id : List.of(ones, twos)) {
                    assertThat(Blocks.load(loader, id, 100, Duration.ofSeconds(20))
                                    .status())
                            .isEqualTo(LoadStatus.LOADED);
                }
            }
        }
    }

    private static String idOf(NodeRuntime owner, NodeRuntime other) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "key-" + i)
                .filter(id -> certainty(owner, id) == Certainty.CURRENT && certainty(other, id) == Certainty.ELSEWHERE)
                .findFirst()
                .orElseThrow();
    }

    private static Certainty certainty(NodeRuntime node, String id) {
        return node.node().certainty(Namespaces.OPAQUE.key(BlockId.of(id)));
    }
}
