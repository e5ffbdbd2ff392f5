package io.kvern.app.demo.engine;

import java.util.List;
import java.util.Optional;

/** An answer, with the logits that each of its tokens was chosen from. Immutable as long as nobody writes its arrays. */
public final class Completion {
    private final int[] tokens;
    private final List<float[]> logits;
    private final RequestStats stats;

    Completion(int[] tokens, List<float[]> logits, RequestStats stats) {
        this.tokens = tokens;
        this.logits = List.copyOf(logits);
        this.stats = stats;
    }

    /** The generated tokens. */
    public int[] tokens() {
        return tokens.clone();
    }

    /** One array per generated token, as long as the vocabulary; not copied. */
    public List<float[]> logits() {
        return logits;
    }

    public RequestStats stats() {
        return stats;
    }

    /**
     * Compares tokens and the bits of all logits.
     *
     * @return empty where they are equal, else the first difference in words
     */
    public Optional<String> differenceFrom(Completion other) {
        if (tokens.length != other.tokens.length) {
            return Optional.of("%d tokens against %d".formatted(tokens.length, other.tokens.length));
        }
        for (int step = 0; step < tokens.length; step++) {
            float[] mine = logits.get(step);
            float[] theirs = other.logits.get(step);
            for (int token = 0; token < mine.length; token++) {
                int bits = Float.floatToRawIntBits(mine[token]);
                int otherBits = Float.floatToRawIntBits(theirs[token]);
                if (bits != otherBits) {
                    return Optional.of("answer token %d: logit %d is %s (0x%08x) against %s (0x%08x)"
                            .formatted(step, token, mine[token], bits, theirs[token], otherBits));
                }
            }
            if (tokens[step] != other.tokens[step]) {
                return Optional.of(
                        "answer token %d is %d against %d".formatted(step, tokens[step], other.tokens[step]));
            }
        }
        return Optional.empty();
    }
}
