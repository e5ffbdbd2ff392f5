package io.kvern.model;

/** What a write does where the key is already stored. The codes are written to disk and to the log: never renumber. */
public enum WriteMode {
    /** A verified copy stays; other bytes under the same key count as a conflict and are dropped. */
    IF_ABSENT(0),
    /** The last in log order wins. */
    SET(1);

    private final int code;

    WriteMode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    public static WriteMode ofCode(int code) {
        return switch (code) {
            case 0 -> IF_ABSENT;
            case 1 -> SET;
            default -> throw new InvalidInputException("write mode %d is unknown; 0 or 1 are allowed".formatted(code));
        };
    }
}
