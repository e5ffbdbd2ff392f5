package io.kvern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.app.node.Directories;
import io.kvern.app.node.NodeRuntime;
import io.kvern.model.InvalidInputException;
import io.kvern.store.StoreStats;
import io.kvern.worker.load.BlockLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a node keeps over a restart, what the log gives back, and whose directory it is. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class NodeFilesIT {
    @TempDir
    private Path dir;

    @Test
    void blocksOutliveRestartsAndTheLogBringsBackWhatIsLost() throws Exception {
        List<Payload> blocks = Blocks.some(Namespaces.ENGINE, "kept-", 40, 1_500_000);
        List<Payload> more = Blocks.some(Namespaces.OPAQUE, "set-", 20, 100_000);
        long bytes = 0;
        for (Payload block : blocks) {
            bytes += block.length();
        }
        for (Payload block : more) {
            bytes += block.length();
        }
        try (Cluster cluster = new Cluster(dir, Map.of())) {
            try (NodeRuntime node = cluster.readyNode("node")) {
                Blocks.store(node.publisher(), node, blocks);
                Blocks.store(node.publisher(), node, more);
                assertAll(node, blocks, more);
            }

            try (NodeRuntime node = cluster.readyNode("node")) {
                assertAll(node, blocks, more);
                StoreStats stats = node.node().store().stats();
                assertThat(stats.stored())
                        .as("blocks written again after a clean restart")
                        .isZero();
                assertThat(stats.liveBytes()).isEqualTo(bytes);
            }

            // The state of Kafka Streams holds no block: without it the store's own offsets say where to go on.
            Directories.delete(NodeRuntime.streamsDir(cluster.config("node")));
            try (NodeRuntime node = cluster.readyNode("node")) {
                assertAll(node, blocks, more);
                assertThat(node.node().store().stats().stored())
                        .as("blocks written again")
                        .isZero();
            }

            // Everything: the log brings it back.
            Directories.delete(cluster.dataDir("node"));
            try (NodeRuntime node = cluster.readyNode("node")) {
                assertAll(node, blocks, more);
                assertThat(node.node().store().stats().stored()).isEqualTo(blocks.size() + more.size());
            }
        }
    }

    private static void assertAll(NodeRuntime node, List<Payload> engine, List<Payload> opaque) {
        try (BlockLoader loader = Cluster.loader(Namespaces.ENGINE, node)) {
            Blocks.assertAllLoad(loader, engine);
        }
        try (BlockLoader loader = Cluster.loader(Namespaces.OPAQUE, node)) {
            Blocks.assertAllLoad(loader, opaque);
        }
    }

    @Test
    void aDirectoryInUseIsRefusedNamingItsHolder() throws Exception {
        try (Cluster cluster = new Cluster(dir, Map.of());
                NodeRuntime node = cluster.readyNode("node")) {
            List<Payload> blocks = Blocks.some(Namespaces.ENGINE, "mine-", 3, 10_000);
            Blocks.store(node.publisher(), node, blocks);

            assertThatThrownBy(() -> cluster.node("node"))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining(cluster.dataDir("node").toString())
                    .hasMessageContaining(Long.toString(ProcessHandle.current().pid()));

            Path log = dir.resolve("second.log");
            try (StoreProcess second =
                    StoreProcess.start(cluster.bootstrap(), cluster.dataDir("node"), log, List.of())) {
                int code = second.awaitExit(60);
                assertThat(code).as(Files.readString(log)).isEqualTo(2);
            }
            assertThat(Files.readString(log))
                    .contains("kvern: ")
                    .contains(cluster.dataDir("node").toString())
                    .contains(Long.toString(ProcessHandle.current().pid()));

            // The holder did not notice.
            assertAll(node, blocks, List.of());
        }
    }

    @Test
    void aDataDirectoryThatIsAFileIsRefused() throws Exception {
        try (Cluster cluster = new Cluster(dir, Map.of())) {
            Files.writeString(cluster.dataDir("node"), "not a directory");

            assertThatThrownBy(() -> cluster.node("node"))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("data.dir");
        }
    }
}
