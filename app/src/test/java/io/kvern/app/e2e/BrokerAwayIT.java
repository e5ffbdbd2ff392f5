package io.kvern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.app.node.NodeRuntime;
import io.kvern.ingest.BlockPublisher;
import io.kvern.ingest.PublishOutcome;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.LoadStatus;
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

/** The broker goes away under a running node, and comes back. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class BrokerAwayIT {
    @TempDir
    private Path dir;

    @Test
    void theNodeServesWhatCannotBeStaleAndGoesOnWhenTheBrokerIsBack() throws Exception {
        List<Payload> immutable = Blocks.some(Namespaces.ENGINE, "immutable-", 10, 700_000);
        List<Payload> later = Blocks.some(Namespaces.ENGINE, "later-", 10, 700_000);
        try (Cluster cluster = new Cluster(
                        dir,
                        Map.of(
                                "node.silence", "2s",
                                "door.unsure.wait", "200ms",
                                "door.write.timeout", "20s",
                                "publish.delivery.timeout", "3s"));
                NodeRuntime node = cluster.readyNode("node");
                BlockPublisher publisher = cluster.publisher();
                BlockLoader loader = Cluster.loader(Namespaces.ENGINE, node);
                Jedis redis = RedisClientIT.redis(node, "test/opaque")) {
            Blocks.store(publisher, node, immutable);
            redis.set("changeable", "value");
            assertThat(redis.get("absent")).isNull();

            cluster.stopBroker();
            Await.until(
                    "the node has noticed",
                    () -> node.node().status().getOrDefault("kafka_contact", "").equals("false"));

            Blocks.assertAllLoad(loader, immutable);
            assertThat(Blocks.load(loader, "never-there", 10, Duration.ofSeconds(1))
                            .status())
                    .isIn(LoadStatus.UNSURE, LoadStatus.LATE);
            // A value that another node may have changed by now is not served either.
            for (String id : List.of("absent", "changeable")) {
                assertThatThrownBy(() -> redis.get(id))
                        .isInstanceOf(JedisDataException.class)
                        .hasMessageStartingWith("TRYAGAIN");
            }
            assertThatThrownBy(() -> redis.set("changeable", "other"))
                    .isInstanceOf(JedisDataException.class)
                    .hasMessageContaining(cluster.bootstrap());
            PublishOutcome outcome = Blocks.outcome(Blocks.publish(publisher, later.getFirst()));
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            PublishOutcome.Failed.class,
                            failed -> assertThat(failed.reason()).contains(cluster.bootstrap()));

            cluster.restartBroker();
            Await.until("the node is current again", () -> node.node().ready());

            Blocks.store(publisher, node, later);
            Blocks.assertAllLoad(loader, later);
            Blocks.assertAllLoad(loader, immutable);
            assertThat(redis.get("absent")).isNull();
            assertThat(redis.get("changeable")).isIn("value", "other");
            redis.set("changeable", "new");
            assertThat(redis.get("changeable")).isEqualTo("new");
            assertThat(node.node().status()).containsEntry("thread_failures", "0");
        }
    }
}
