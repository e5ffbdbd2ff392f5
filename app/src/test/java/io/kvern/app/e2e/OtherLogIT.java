package io.kvern.app.e2e;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.app.node.NodeRuntime;
import io.kvern.ingest.AdminException;
import io.kvern.model.InvalidInputException;
import io.kvern.model.KvernException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose topics are not those that it was begun with does not start. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class OtherLogIT {
    @TempDir
    private Path dir;

    private static String topicId(Admin admin) throws Exception {
        return Objects.requireNonNull(admin.describeTopics(List.of("kvern.blocks"))
                        .allTopicNames()
                        .get(30, TimeUnit.SECONDS)
                        .get("kvern.blocks"))
                .topicId()
                .toString();
    }

    @Test
    void morePartitionsThanPinnedAreRefused() throws Exception {
        try (Cluster cluster = new Cluster(dir, Map.of());
                Admin admin = cluster.admin()) {
            cluster.readyNode("node").close();
            admin.createPartitions(Map.of("kvern.blocks", NewPartitions.increaseTo(6)))
                    .all()
                    .get(30, TimeUnit.SECONDS);

            assertThatThrownBy(() -> cluster.node("node"))
                    .isInstanceOf(AdminException.class)
                    .hasMessageContaining("kvern.blocks")
                    .hasMessageContaining("4 partitions")
                    .hasMessageContaining("6 partitions");
        }
    }

    @Test
    void aTopicMadeAnewIsRefused() throws Exception {
        try (Cluster cluster = new Cluster(dir, Map.of());
                Admin admin = cluster.admin()) {
            cluster.readyNode("node").close();
            String first = topicId(admin);
            admin.deleteTopics(List.of("kvern.blocks")).all().get(30, TimeUnit.SECONDS);
            Await.until("the topic can be made again", () -> {
                try {
                    admin.createTopics(List.of(new NewTopic("kvern.blocks", 4, (short) 1)))
                            .all()
                            .get(30, TimeUnit.SECONDS);
                    return true;
                } catch (ExecutionException e) {
                    return false;
                }
            });
            Await.until("the topic is known again", () -> {
                try {
                    return !topicId(admin).equals(first);
                } catch (ExecutionException e) {
                    return false;
                }
            });

            assertThatThrownBy(() -> cluster.node("node"))
                    .isInstanceOf(KvernException.class)
                    .hasMessageContaining("kvern.blocks")
                    .hasMessageContaining("pinned");
        }
    }

    @Test
    void aStoreOfAnotherClusterIsRefused() throws Exception {
        Path shared = dir.resolve("shared");
        Map<String, String> own = Map.of("data.dir", shared.toString());
        try (Cluster first = new Cluster(dir.resolve("first"), Map.of());
                NodeRuntime node = Cluster.ready(first.node("node", own))) {
            Blocks.store(node.publisher(), node, Blocks.some(Namespaces.ENGINE, "of-first-", 3, 10_000));
        }
        try (Cluster second = new Cluster(dir.resolve("second"), Map.of())) {
            assertThatThrownBy(() -> second.node("node", own))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining(shared.toString())
                    .hasMessageContaining("topic id");
        }
    }

    @Test
    void aTopicThatCannotCarryBlocksIsRefusedNamingTheSetting() throws Exception {
        try (Cluster cluster = new Cluster(dir, Map.of());
                Admin admin = cluster.admin()) {
            cluster.readyNode("node").close();
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, "kvern.blocks"),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("max.message.bytes", "100000"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get(30, TimeUnit.SECONDS);

            assertThatThrownBy(() -> cluster.node("node"))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("max.message.bytes")
                    .hasMessageContaining("100000");
        }
    }
}
