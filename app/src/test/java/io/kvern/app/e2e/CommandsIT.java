package io.kvern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.app.cli.KvernCommand;
import io.kvern.app.node.NodeRuntime;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a running node, and the thing that a developer leaves running. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class CommandsIT {
    @TempDir
    private Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return KvernCommand.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private static void write(Path file, Payload payload) throws IOException {
        ByteBuffer bytes = payload.bytes();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    @Test
    void blocksGoInAndComeOutByCommand() throws Exception {
        Payload payload = new Payload(Namespaces.OPAQUE, "block", 3_000_001, 0);
        Path file = dir.resolve("in");
        Path back = dir.resolve("back");
        write(file, payload);
        try (Cluster cluster = new Cluster(dir, Map.of());
                NodeRuntime node = cluster.readyNode("node")) {
            String at = node.listening().toString();

            assertThat(run("put", "org/model", "block", file.toString(), "--node", at))
                    .as(err.toString())
                    .isZero();
            assertThat(out.toString()).isEqualTo("stored block, 3000001 bytes\n");
            assertThat(run("get", "org/model", "block", "--node", at, "--out", back.toString()))
                    .as(err.toString())
                    .isZero();
            assertThat(back).hasSameBinaryContentAs(file);

            assertThat(run(
                            "get",
                            "org/model",
                            "absent",
                            "--node",
                            at,
                            "--out",
                            dir.resolve("none").toString()))
                    .isEqualTo(3);
            assertThat(err.toString()).contains("absent: no such block");
            assertThat(dir.resolve("none")).doesNotExist();
            assertThat(run("get", "org/other", "block", "--node", at)).isEqualTo(3);

            assertThat(run("match", "org/model", "block", "absent", "block", "--node", at))
                    .isZero();
            assertThat(out.toString()).isEqualTo("1 of 3 blocks, 3000001 bytes\n");

            assertThat(run("stats", "--node", at)).isZero();
            assertThat(out.toString().lines()).contains("blocks:1", "live_bytes:3000001", "dead_letters:0");

            Path empty = Files.createFile(dir.resolve("empty"));
            assertThat(run("put", "org/model", "empty", empty.toString(), "--node", at))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("0 bytes");
        }
    }

    @Test
    void topicsAreMadeCheckedAndDescribed() {
        try (Cluster cluster = new Cluster(dir, Map.of())) {
            String[] at = {"--bootstrap-servers", cluster.bootstrap(), "--set", "topics.prefix=mine."};

            assertThat(run(join(at, "topics", "describe"))).isNotZero();
            assertThat(err.toString()).contains("kvern topics create");
            assertThat(run(join(at, "topics", "check"))).isEqualTo(2);
            assertThat(out.toString()).contains("ERROR", "kvern topics create");
            assertThat(run(join(at, "topics", "create", "--partitions", "3", "--retention", "2GiB")))
                    .as(err.toString())
                    .isZero();
            assertThat(out.toString()).contains("mine.blocks", "3 partitions", "warm-up window", "cost");
            assertThat(run(join(at, "topics", "create", "--partitions", "3")))
                    .as("again: %s", err)
                    .isZero();
            assertThat(run(join(at, "topics", "check"))).as("%s%s", out, err).isZero();
            assertThat(run(join(at, "topics", "check", "--set", "chunk.payload.bytes=4MiB")))
                    .isEqualTo(2);
            assertThat(out.toString()).contains("ERROR", "max.message.bytes");
            assertThat(run(join(at, "topics", "describe"))).isZero();
            assertThat(out.toString()).contains("mine.blocks", "mine.control", "mine.dead-letters");
        }
    }

    private static String[] join(String[] options, String... command) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(options));
        return all.toArray(String[]::new);
    }

    @Test
    void whatADeveloperLeavesRunningServesTheSameBlocksAfterARestart() throws Exception {
        Payload payload = new Payload(Namespaces.OPAQUE, "block", 2_000_000, 0);
        Path file = dir.resolve("in");
        write(file, payload);
        Path log = dir.resolve("dev.log");
        List<String> command = List.of("dev", "--data-dir", dir.resolve("data").toString(), "--listen", "127.0.0.1:0");
        try (StoreProcess dev = StoreProcess.start(command, log, 1024)) {
            String at = "127.0.0.1:" + dev.awaitPort(90);
            assertThat(dev.output())
                    .hasLineCount(1)
                    .contains("kvern dev is ready: redis " + at, ", kafka 127.0.0.1:", ", data ");
            assertThat(run("put", "org/model", "block", file.toString(), "--node", at))
                    .as(err.toString())
                    .isZero();

            try (StoreProcess second = StoreProcess.start(command, dir.resolve("second.log"), 1024)) {
                assertThat(second.awaitExit(60)).isEqualTo(2);
                assertThat(Files.readString(dir.resolve("second.log"))).contains("in use", "process");
            }

            long start = System.nanoTime();
            assertThat(dev.stop(40)).isEqualTo(143);
            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start))
                    .isLessThan(30);
        }
        try (StoreProcess dev = StoreProcess.start(command, log, 1024)) {
            String at = "127.0.0.1:" + dev.awaitPort(90);
            Path back = dir.resolve("back");
            assertThat(run("get", "org/model", "block", "--node", at, "--out", back.toString()))
                    .as(err.toString())
                    .isZero();
            assertThat(back).hasSameBinaryContentAs(file);
            assertThat(dev.stop(40)).isEqualTo(143);
        }
    }
}
