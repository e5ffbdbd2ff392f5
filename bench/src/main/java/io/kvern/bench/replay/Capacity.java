package io.kvern.bench.replay;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Settings;
import io.kvern.model.InvalidInputException;
import java.util.Map;

/** How much the store may keep. */
sealed interface Capacity {
    /** Everything, with room to spare. */
    record Unlimited() implements Capacity {}

    /** So many bytes on disk, everything included. */
    record Bytes(long bytes) implements Capacity {}

    /** A share of the payload of all different blocks of the trace; above 0. */
    record Share(double share) implements Capacity {}

    /**
     * From {@code unlimited}, a size such as {@code 512MiB}, or a percentage such as {@code 25%}.
     *
     * @throws InvalidInputException if it is none of these
     */
    static Capacity parse(String text) {
        if (text.equals("unlimited")) {
            return new Unlimited();
        }
        if (text.endsWith("%")) {
            return new Share(percent(text) / 100);
        }
        String key = Settings.CAPACITY.key();
        long bytes = KvernConfig.resolve(null, Map.of(), Map.of(key, text)).get(Settings.CAPACITY);
        return new Bytes(bytes);
    }

    private static double percent(String text) {
        try {
            double percent = Double.parseDouble(text.substring(0, text.length() - 1));
            if (percent > 0 && percent <= 10_000) {
                return percent;
            }
        } catch (NumberFormatException e) {
            throw new InvalidInputException("--capacity is '%s': no number stands before %%".formatted(text), e);
        }
        throw new InvalidInputException("--capacity is '%s': above 0 %% to 10000 %% is allowed".formatted(text));
    }
}
