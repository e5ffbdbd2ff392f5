package io.kvern.model;

/**
 * The caller asked for something that can never be valid, or that a limit forbids: an id of 0 bytes, a block over the
 * maximum. Nothing was done. Trying again without a change gives the same answer.
 */
public class InvalidInputException extends KvernException {
    private static final long serialVersionUID = 1L;

    public InvalidInputException(String message) {
        super(message);
    }

    public InvalidInputException(String message, Throwable cause) {
        super(message, cause);
    }

    /** What was {@code actual} exceeds {@code limit}, which {@code setting} moves. */
    public static InvalidInputException overLimit(String what, long actual, long limit, String setting) {
        return new InvalidInputException(
                "%s is %d, over the limit of %d (setting %s)".formatted(what, actual, limit, setting));
    }
}
