package io.kvern.app.cli;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Setting;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that every command with a configuration has. */
final class ConfigOptions {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Properties file with settings. Default: $KVERN_CONFIG, else none.")
    private @Nullable Path file;

    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE",
            description = "One setting; may be given many times. 'kvern config' lists them.")
    private Map<String, String> flags = new LinkedHashMap<>();

    private final Map<String, String> own = new LinkedHashMap<>();

    /** A command's own flag for a setting; null leaves it to file and environment. */
    ConfigOptions with(Setting<?> setting, @Nullable Object value) {
        if (value != null) {
            own.put(setting.key(), value.toString());
        }
        return this;
    }

    KvernConfig resolve() {
        Map<String, String> all = new LinkedHashMap<>(flags);
        all.putAll(own);
        Path chosen = file;
        String named = System.getenv("KVERN_CONFIG");
        if (chosen == null && named != null && !named.isBlank()) {
            chosen = Path.of(named);
        }
        KvernConfig config = KvernConfig.resolve(chosen, System.getenv(), all);
        config.warnings().forEach(warning -> System.err.println("kvern: " + warning));
        return config;
    }
}
