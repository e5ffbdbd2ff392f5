package io.kvern.app.cli;

import io.kvern.model.KvernException;

/** Something that the command needs does not answer: Kafka, or a node. Trying later may help. */
public final class UnavailableException extends KvernException {
    private static final long serialVersionUID = 1L;

    public UnavailableException(String message) {
        super(message);
    }

    public UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
