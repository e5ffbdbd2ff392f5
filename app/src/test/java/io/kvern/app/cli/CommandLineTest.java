package io.kvern.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What a person sees who types something wrong, or whose node or Kafka is not there. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class CommandLineTest {
    @TempDir
    private Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return KvernCommand.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    /** A port at which nobody listens. */
    private static int deadPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "dev", "broker", "store", "topics", "put", "get", "match", "stats", "config"})
    void everyCommandHasHelpWorthReading(String command) {
        assertThat(run(command, "--help")).isEqualTo(ExitCodes.OK);
        assertThat(out.toString())
                .contains("Usage: kvern " + command)
                .matches(text -> text.lines().count() > 4, "more than four lines");
        CommandLine itself = Objects.requireNonNull(
                KvernCommand.commandLine().getSubcommands().get(command));
        for (CommandLine.Model.OptionSpec option : itself.getCommandSpec().options()) {
            assertThat(option.description())
                    .as("%s %s", command, option.longestName())
                    .isNotEmpty();
        }
    }

    @Test
    void theRootSaysHowToBeginAndWhatExitCodesMean() {
        assertThat(run("--help")).isEqualTo(ExitCodes.OK);
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("kvern demo", "kvern dev", "kvern store", "3 no such block", "4 Kafka or node");
    }

    @Test
    void aCommandThatIsMissingOrUnknownIsWrongUsage() {
        assertThat(run()).isEqualTo(ExitCodes.INVALID);
        assertThat(err.toString()).contains("A command is missing");
        assertThat(run("serve")).isEqualTo(ExitCodes.INVALID);
        assertThat(run("topics")).isEqualTo(ExitCodes.INVALID);
        assertThat(run("put", "namespace", "id")).isEqualTo(ExitCodes.INVALID);
        assertThat(err.toString()).contains("FILE");
    }

    @Test
    void aSettingThatIsNoneOrCannotBeIsNamed() {
        assertThat(run("config", "--set", "store.capasity.bytes=1")).isEqualTo(ExitCodes.INVALID);
        assertThat(err.toString()).contains("kvern: 'store.capasity.bytes'", "'store.capacity.bytes'");
        assertThat(run("config", "--set", "topics.partitions=many")).isEqualTo(ExitCodes.INVALID);
        assertThat(err.toString()).contains("topics.partitions is 'many'", "1 to 1024");
        assertThat(run("config", "--config", dir.resolve("none").toString())).isEqualTo(ExitCodes.INVALID);
        assertThat(err.toString()).contains("cannot read the configuration file");
    }

    @Test
    void configShowsWhatIsSetAndHidesSecrets() throws IOException {
        Path file = Files.writeString(
                dir.resolve("kvern.properties"), "store.capacity.bytes=2GiB\nkafka.sasl.jaas.config=open sesame\n");

        assertThat(run("config", "--config", file.toString())).isEqualTo(ExitCodes.OK);

        assertThat(out.toString())
                .contains("\nstore.capacity.bytes=", "\n#listen=127.0.0.1:6390", "KVERN_STORE_CAPACITY_BYTES")
                .contains("kafka.sasl.jaas.config=(hidden)")
                .doesNotContain("open sesame");
    }

    @Test
    void whatConfigPrintsCanBeReadBack() throws IOException {
        assertThat(run("config", "--set", "store.capacity.bytes=2GiB", "--set", "node.silence=7s"))
                .isEqualTo(ExitCodes.OK);
        Path file = Files.writeString(dir.resolve("printed.properties"), out.toString());
        String first = out.toString();
        out.getBuffer().setLength(0);

        assertThat(run("config", "--config", file.toString()))
                .as(err.toString())
                .isEqualTo(ExitCodes.OK);

        assertThat(out.toString()).isEqualTo(first);
    }

    @Test
    void storeAsksForItsBrokers() {
        assertThat(run("store", "--data-dir", dir.toString())).isEqualTo(ExitCodes.INVALID);
        assertThat(err.toString()).contains("bootstrap.servers", "--bootstrap-servers");
    }

    @Test
    void aBrokerThatIsNotThereIsNamedAndIsNotTheUsersMistake() throws IOException {
        String nobody = "127.0.0.1:" + deadPort();
        long start = System.nanoTime();

        assertThat(run("store", "--bootstrap-servers", nobody, "--data-dir", dir.toString()))
                .isEqualTo(ExitCodes.UNAVAILABLE);

        assertThat(err.toString()).contains(nobody);
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)).isLessThan(35);
    }

    @Test
    void aNodeThatIsNotThereIsNamed() throws IOException {
        String nobody = "127.0.0.1:" + deadPort();
        Path file = Files.writeString(dir.resolve("block"), "bytes");
        for (String[] command : new String[][] {
            {"stats"}, {"put", "ns", "id", file.toString()}, {"get", "ns", "id"}, {"match", "ns", "id"}
        }) {
            String[] whole = new String[command.length + 4];
            System.arraycopy(command, 0, whole, 0, command.length);
            System.arraycopy(new String[] {"--node", nobody, "--timeout", "1"}, 0, whole, command.length, 4);
            err.getBuffer().setLength(0);

            assertThat(run(whole)).as(command[0]).isEqualTo(ExitCodes.UNAVAILABLE);
            assertThat(err.toString()).as(command[0]).contains(nobody);
        }
    }

    @Test
    void idsAndAddressesThatCannotBeAreNamed() {
        assertThat(run("match", "ns", "x".repeat(1025))).isEqualTo(ExitCodes.INVALID);
        assertThat(err.toString()).contains("1025 bytes", "1024");
        assertThat(run("stats", "--node", "nowhere")).isEqualTo(ExitCodes.INVALID);
        assertThat(err.toString()).contains("--node is 'nowhere'");
        assertThat(run("put", "ns", "id", dir.resolve("absent").toString())).isEqualTo(ExitCodes.INVALID);
        assertThat(err.toString()).contains("absent");
    }
}
