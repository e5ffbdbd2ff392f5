package io.kvern.model;

/**
 * One tensor of a block. A block's components lie one behind the other in this order; together they are the block.
 *
 * @param kind what it holds
 * @param length its length in bytes, at least 1
 */
public record Component(Kind kind, int length) {
    /** The codes are written to disk and to the log: never renumber. */
    public enum Kind {
        KEY(0),
        VALUE(1),
        KEY_SCALE(2),
        VALUE_SCALE(3),
        LATENT(4),
        OTHER(5);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        public static Kind ofCode(int code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new InvalidInputException("component kind %d is unknown".formatted(code));
        }
    }

    /** Most components that one block may have. */
    public static final int MAX_PER_BLOCK = 64;

    public Component {
        if (length < 1) {
            throw new InvalidInputException("component %s has %d bytes; at least 1 is needed".formatted(kind, length));
        }
    }
}
