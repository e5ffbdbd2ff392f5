package io.kvern.app.config;

import io.kvern.model.InvalidInputException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One thing that can be configured.
 *
 * @param key its name in a file and after {@code --set}; in the environment {@code KVERN_} and the key in capitals, dots as
 *     underscores
 * @param defaultText its value where nothing is said, in the form a person would write
 * @param description one sentence
 * @param parser reads the text; throws {@link IllegalArgumentException} saying what is allowed
 */
public record Setting<T>(String key, String defaultText, String description, Function<String, T> parser) {
    private static final Pattern SIZE = Pattern.compile("(\\d+)\\s*(|B|KiB|MiB|GiB|TiB)");
    private static final Pattern TIME = Pattern.compile("(\\d+)\\s*(ms|s|m|h)");

    /** The environment variable of this setting. */
    public String variable() {
        return "KVERN_" + key.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    /**
     * @param text the value as written
     * @param origin where it was written, for the error
     */
    T parse(String text, String origin) {
        try {
            return parser.apply(text.strip());
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("%s is '%s' (from %s): %s".formatted(key, text, origin, e.getMessage()), e);
        }
    }

    static Setting<String> text(String key, String defaultText, String description) {
        return new Setting<>(key, defaultText, description, text -> text);
    }

    static Setting<Integer> number(String key, int defaultValue, int least, int most, String description) {
        return new Setting<>(key, Integer.toString(defaultValue), description, text -> {
            long value = parseLong(text, "a whole number from %d to %d is needed".formatted(least, most));
            if (value < least || value > most) {
                throw new IllegalArgumentException("%d to %d is allowed".formatted(least, most));
            }
            return (int) value;
        });
    }

    static Setting<Double> share(String key, double defaultValue, String description) {
        return new Setting<>(key, Double.toString(defaultValue), description, text -> {
            double value;
            try {
                value = Double.parseDouble(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("a number above 0 and at most 1 is needed", e);
            }
            if (!(value > 0 && value <= 1)) {
                throw new IllegalArgumentException("above 0 and at most 1 is allowed");
            }
            return value;
        });
    }

    static Setting<Long> bytes(String key, String defaultText, String description) {
        return new Setting<>(key, defaultText, description, Setting::parseBytes);
    }

    static Setting<Duration> time(String key, String defaultText, String description) {
        return new Setting<>(key, defaultText, description, Setting::parseTime);
    }

    private static long parseBytes(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            throw new IllegalArgumentException("a size such as 1048576, 512KiB, 256MiB or 2GiB is needed");
        }
        long unit = switch (size.group(2)) {
            case "KiB" -> 1L << 10;
            case "MiB" -> 1L << 20;
            case "GiB" -> 1L << 30;
            case "TiB" -> 1L << 40;
            default -> 1;
        };
        return multiply(size.group(1), unit);
    }

    private static Duration parseTime(String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            throw new IllegalArgumentException("a time such as 300ms, 5s, 10m or 1h is needed");
        }
        long unit = switch (time.group(2)) {
            case "ms" -> 1L;
            case "s" -> 1_000L;
            case "m" -> 60_000L;
            default -> 3_600_000L;
        };
        return Duration.ofMillis(multiply(time.group(1), unit));
    }

    private static long multiply(String digits, long unit) {
        try {
            return Math.multiplyExact(parseLong(digits, "it is too large"), unit);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("it is too large", e);
        }
    }

    private static long parseLong(String digits, String complaint) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(complaint, e);
        }
    }
}
