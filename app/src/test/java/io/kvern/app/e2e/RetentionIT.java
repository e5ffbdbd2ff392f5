package io.kvern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.app.node.NodeRuntime;
import io.kvern.ingest.BlockPublisher;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.LoadStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** The log forgets what a node that was down had not yet read. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class RetentionIT {
    private static final TopicPartition PARTITION = new TopicPartition("kvern.blocks", 0);

    @TempDir
    private Path dir;

    @Test
    void aNodeThatTheLogHasLeftBehindComesUpAndServesWhatCannotBeStale() throws Exception {
        List<Payload> old = Blocks.some(Namespaces.ENGINE, "old-", 10, 400_000);
        List<Payload> recent = Blocks.some(Namespaces.ENGINE, "recent-", 40, 400_000);
        try (Cluster cluster = new Cluster(
                        dir,
                        Map.of("topics.partitions", "1"),
                        Map.of("log.retention.check.interval.ms", "300", "log.segment.delete.delay.ms", "0"));
                Admin admin = cluster.admin()) {
            try (NodeRuntime node = cluster.readyNode("node");
                    Jedis redis = RedisClientIT.redis(node, "test/opaque")) {
                Blocks.store(node.publisher(), node, old);
                redis.set("changeable", "value");
            }
            long applied = end(admin);
            keepLittle(admin);
            try (BlockPublisher publisher = cluster.publisher()) {
                for (Payload payload : recent) {
                    Blocks.published(Blocks.publish(publisher, payload));
                }
            }
            Await.until("the log begins behind what the node has applied", () -> start(admin) > applied + 5);
            long lost = start(admin) - applied;
            System.out.println("RetentionIT: " + lost + " records were lost to the node");

            try (NodeRuntime node = cluster.readyNode("node");
                    BlockLoader loader = Cluster.loader(Namespaces.ENGINE, node);
                    Jedis redis = RedisClientIT.redis(node, "test/opaque")) {
                Blocks.assertAllLoad(loader, old);
                // The lost part of the log may have changed it: it is gone rather than stale.
                assertThat(redis.get("changeable")).isNull();
                // The newest blocks stand in what the log still has; of the lost ones none is wrong.
                Blocks.assertAllLoad(loader, recent.subList(recent.size() - 2, recent.size()));
                int there = 0;
                for (Payload payload : recent) {
                    LoadStatus status = Blocks.status(loader, payload);
                    assertThat(status).isIn(LoadStatus.LOADED, LoadStatus.MISS);
                    there += status == LoadStatus.LOADED ? 1 : 0;
                }
                assertThat(there).isLessThan(recent.size());
                Blocks.store(node.publisher(), node, Blocks.some(Namespaces.ENGINE, "after-", 5, 10_000));
                Blocks.assertAllLoad(loader, Blocks.some(Namespaces.ENGINE, "after-", 5, 10_000));
                assertThat(node.node().status()).containsEntry("thread_failures", "0");
            }
        }
    }

    private static void keepLittle(Admin admin) throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "kvern.blocks");
        admin.incrementalAlterConfigs(Map.of(
                        topic,
                        List.of(
                                new AlterConfigOp(
                                        new ConfigEntry("retention.bytes", "3000000"), AlterConfigOp.OpType.SET),
                                new AlterConfigOp(
                                        new ConfigEntry("segment.bytes", "1048588"), AlterConfigOp.OpType.SET))))
                .all()
                .get(30, TimeUnit.SECONDS);
    }

    private static long start(Admin admin) throws Exception {
        return admin.listOffsets(Map.of(PARTITION, OffsetSpec.earliest()))
                .partitionResult(PARTITION)
                .get(30, TimeUnit.SECONDS)
                .offset();
    }

    private static long end(Admin admin) throws Exception {
        return admin.listOffsets(Map.of(PARTITION, OffsetSpec.latest()))
                .partitionResult(PARTITION)
                .get(30, TimeUnit.SECONDS)
                .offset();
    }
}
