package io.kvern.app.config;

import io.kvern.model.InvalidInputException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The values of all settings: from a properties file, then {@code KVERN_…} variables, then flags; the later wins. Immutable,
 * checked as a whole when it is made.
 */
public final class KvernConfig {
    private static final String VARIABLE_PREFIX = "KVERN_";

    /** Variables that are the launcher's, not settings. */
    private static final List<String> LAUNCHER_VARIABLES =
            List.of("KVERN_JAVA_HOME", "KVERN_JAVA_OPTS", "KVERN_LOG_LEVEL", "KVERN_CONFIG");

    private record Value(String text, String origin) {}

    private final Map<String, Value> values;
    private final List<String> warnings;

    private KvernConfig(Map<String, Value> values, List<String> warnings) {
        this.values = values;
        this.warnings = List.copyOf(warnings);
    }

    /**
     * @param file a properties file, or null for none
     * @param environment as {@link System#getenv()} answers
     * @param flags key to value, as given on the command line
     * @throws InvalidInputException naming the key, the value and what is allowed
     */
    public static KvernConfig resolve(@Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
        Map<String, Value> values = new HashMap<>();
        List<String> warnings = new ArrayList<>();
        if (file != null) {
            load(file).forEach((key, text) -> {
                requireKnown(key, "file " + file);
                values.put(key, new Value(text, "file " + file));
            });
        }
        environment.forEach((variable, text) -> {
            if (variable.startsWith(VARIABLE_PREFIX) && !LAUNCHER_VARIABLES.contains(variable)) {
                String key = keyOf(variable);
                if (known(key)) {
                    values.put(key, new Value(text, "environment variable " + variable));
                } else {
                    // Not an error: Kubernetes makes such variables for a service of our name.
                    warnings.add("environment variable " + variable + " names no setting and is ignored");
                }
            }
        });
        flags.forEach((key, text) -> {
            requireKnown(key, "the command line");
            values.put(key, new Value(text, "the command line"));
        });
        KvernConfig config = new KvernConfig(values, warnings);
        Settings.ALL.forEach(config::get);
        return config;
    }

    /** The same, with these values on top, chosen by the program itself. */
    public KvernConfig with(Map<String, String> chosen) {
        Map<String, Value> merged = new HashMap<>(values);
        chosen.forEach((key, text) -> {
            requireKnown(key, "kvern itself");
            merged.put(key, new Value(text, "kvern itself"));
        });
        return new KvernConfig(merged, warnings);
    }

    public <T> T get(Setting<T> setting) {
        Value value = values.get(setting.key());
        return value == null
                ? setting.parse(setting.defaultText(), "its default")
                : setting.parse(value.text(), value.origin());
    }

    /** The value as it was written, or the default as a person would write it. */
    public String text(Setting<?> setting) {
        Value value = values.get(setting.key());
        return value == null ? setting.defaultText() : value.text();
    }

    /** Whether somebody chose this setting's value. */
    public boolean isSet(Setting<?> setting) {
        return values.containsKey(setting.key());
    }

    /** What goes to every Kafka client as it is, without the prefix. */
    public Map<String, String> kafka() {
        Map<String, String> properties = new LinkedHashMap<>();
        values.forEach((key, value) -> {
            if (key.startsWith(Settings.KAFKA_PREFIX)) {
                properties.put(key.substring(Settings.KAFKA_PREFIX.length()), value.text());
            }
        });
        return properties;
    }

    /** What looks like a mistake and is none for sure. */
    public List<String> warnings() {
        return warnings;
    }

    private static Map<String, String> load(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new InvalidInputException("cannot read the configuration file %s: %s".formatted(file, e), e);
        }
        Map<String, String> read = new LinkedHashMap<>();
        properties.stringPropertyNames().forEach(key -> read.put(key, properties.getProperty(key)));
        return read;
    }

    private static String keyOf(String variable) {
        return variable.substring(VARIABLE_PREFIX.length())
                .toLowerCase(Locale.ROOT)
                .replace('_', '.');
    }

    private static boolean known(String key) {
        return key.startsWith(Settings.KAFKA_PREFIX)
                || Settings.ALL.stream().anyMatch(setting -> setting.key().equals(key));
    }

    private static void requireKnown(String key, String origin) {
        if (!known(key)) {
            String nearest = Settings.ALL.stream()
                    .map(Setting::key)
                    .min(Comparator.comparingInt(name -> distance(name, key)))
                    .orElseThrow();
            throw new InvalidInputException("'%s' (from %s) is no setting; the nearest is '%s'. See: kvern config"
                    .formatted(key, origin, nearest));
        }
    }

    /** Levenshtein distance: how many letters apart two keys are. */
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replace, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
