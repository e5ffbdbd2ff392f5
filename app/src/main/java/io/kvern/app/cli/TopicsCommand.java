package io.kvern.app.cli;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Setting;
import io.kvern.app.config.Settings;
import io.kvern.app.node.ClusterTopics;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Kvern's topics in a Kafka of one's own. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        header = "Makes, checks and describes Kvern's topics.",
        description = {
            "",
            "The first 'create' pins the topics' ids and partition counts as the cluster's layout; a node whose topics"
                    + " are not those refuses to start."
        },
        subcommands = {TopicsCommand.Create.class, TopicsCommand.Check.class, TopicsCommand.Describe.class})
final class TopicsCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing: create, check or describe.");
    }

    /** What the three have in common. */
    private abstract static class OnCluster implements Callable<Integer> {
        @Mixin
        private ConfigOptions options = new ConfigOptions();

        @Mixin
        private KafkaOptions kafka = new KafkaOptions();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        KvernConfig config() {
            return options.with(Settings.BOOTSTRAP, kafka.bootstrapServers()).resolve();
        }

        void also(Setting<?> setting, @Nullable Object value) {
            options.with(setting, value);
        }

        int print(List<String> lines, int code) {
            PrintWriter out = spec.commandLine().getOut();
            lines.forEach(out::println);
            out.flush();
            return code;
        }
    }

    /** Makes what is absent. */
    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            header = "Makes the topics that are absent, and pins the layout. Changes nothing that exists.")
    static final class Create extends OnCluster {
        @Option(
                names = "--partitions",
                paramLabel = "COUNT",
                description = "Partitions of the blocks topic (topics.partitions). Default: 8. Fixed from then on.")
        private @Nullable Integer partitions;

        @Option(
                names = "--replication",
                paramLabel = "COUNT",
                description =
                        "Copies of each topic (topics.replication). Default: 1; 3 for data that is to survive brokers.")
        private @Nullable Integer replication;

        @Option(
                names = "--retention",
                paramLabel = "SIZE",
                description =
                        "What the log keeps for cold nodes, over all partitions (topics.retention.bytes). Default:"
                                + " 8GiB.")
        private @Nullable String retention;

        @Override
        public Integer call() {
            also(Settings.PARTITIONS, partitions);
            also(Settings.REPLICATION, replication);
            also(Settings.RETENTION, retention);
            return print(ClusterTopics.create(config()), ExitCodes.OK);
        }
    }

    /** Names what cannot work. */
    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            header = "Names every setting of topics, brokers and clients that cannot work together.",
            description = "Exit code 2 where a node would refuse to start.")
    static final class Check extends OnCluster {
        @Override
        public Integer call() {
            ClusterTopics.Verdict verdict = ClusterTopics.check(config());
            return print(verdict.lines(), verdict.usable() ? ExitCodes.OK : ExitCodes.INVALID);
        }
    }

    /** Says how far back the log reaches, and what that costs. */
    @Command(
            name = "describe",
            mixinStandardHelpOptions = true,
            header = "Shows the topics, the warm-up window and what it costs.")
    static final class Describe extends OnCluster {
        @Override
        public Integer call() {
            return print(ClusterTopics.describe(config()), ExitCodes.OK);
        }
    }
}
