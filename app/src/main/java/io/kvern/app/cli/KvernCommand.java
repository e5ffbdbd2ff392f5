package io.kvern.app.cli;

import io.kvern.broker.BrokerException;
import io.kvern.ingest.KafkaUnavailableException;
import io.kvern.model.InvalidInputException;
import io.kvern.model.KvernException;
import java.io.PrintWriter;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The root of all commands. */
@Command(
        name = "kvern",
        version = "kvern 0.1.0",
        mixinStandardHelpOptions = true,
        header = "Keeps the KV cache of LLM inference in a Kafka stream, and gives it back.",
        description = {
            "",
            "To see it work, nothing needed:        kvern demo",
            "To leave it running on this machine:   kvern dev",
            "To run it beside your own Kafka:       kvern store --bootstrap-servers HOST:PORT",
            ""
        },
        footer = {
            "",
            "Settings come from a file (--config FILE, or KVERN_CONFIG), then from KVERN_… variables, then from flags"
                    + " (--set KEY=VALUE); 'kvern config' lists them all.",
            "",
            "Exit codes: 0 done; 1 failed; 2 wrong usage or setting; 3 no such block; 4 Kafka or node unavailable."
        },
        subcommands = {
            DemoCommand.class,
            DevCommand.class,
            BrokerCommand.class,
            StoreCommand.class,
            TopicsCommand.class,
            PutCommand.class,
            GetCommand.class,
            MatchCommand.class,
            StatsCommand.class,
            ConfigCommand.class
        })
public final class KvernCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Where the terminal does not say how wide it is. */
    private static final int HELP_WIDTH = 100;

    private KvernCommand() {}

    /** The whole command line, ready to execute. */
    public static CommandLine commandLine() {
        CommandLine root = new CommandLine(new KvernCommand());
        ServiceLoader.load(CommandExtension.class).forEach(extension -> root.addSubcommand(extension.command()));
        return root.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setUsageHelpWidth(HELP_WIDTH)
                .setExecutionExceptionHandler((failure, line, result) -> explain(failure, line.getErr()));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing. See: kvern --help");
    }

    /** What a person can mend is told in one line; only the unexpected comes with its stack. */
    private static int explain(Exception failure, PrintWriter err) {
        return switch (failure) {
            case InvalidInputException invalid -> say(err, invalid, ExitCodes.INVALID);
            case UnavailableException away -> say(err, away, ExitCodes.UNAVAILABLE);
            case KafkaUnavailableException away -> say(err, away, ExitCodes.UNAVAILABLE);
            case BrokerException broker -> say(err, broker, ExitCodes.INVALID);
            case KvernException known -> say(err, known, ExitCodes.FAILED);
            default -> {
                failure.printStackTrace(err);
                err.flush();
                yield ExitCodes.FAILED;
            }
        };
    }

    private static int say(PrintWriter err, RuntimeException failure, int code) {
        err.println("kvern: " + failure.getMessage());
        err.flush();
        return code;
    }
}
