package io.kvern.app.cli;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Setting;
import io.kvern.app.config.Settings;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists every setting with its value. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        header = "Lists every setting, its value here, and its environment variable.",
        description = "What begins with 'kafka.' goes to every Kafka client as it is, such as kafka.security.protocol.")
final class ConfigCommand implements Callable<Integer> {
    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        KvernConfig config = options.resolve();
        PrintWriter out = spec.commandLine().getOut();
        for (Setting<?> setting : Settings.ALL) {
            out.printf("# %s%n# %s%n", setting.description(), setting.variable());
            out.printf("%s%s=%s%n%n", config.isSet(setting) ? "" : "#", setting.key(), config.text(setting));
        }
        config.kafka().forEach((key, value) -> out.printf("%s%s=%s%n", Settings.KAFKA_PREFIX, key, shown(key, value)));
        out.flush();
        return ExitCodes.OK;
    }

    private static String shown(String key, String value) {
        return key.contains("password") || key.contains("jaas") || key.contains("secret") ? "(hidden)" : value;
    }
}
