package io.kvern.app.cli;

import io.kvern.model.KvernException;

/** Something that the command needs does not answer: Kafka, or a node. Trying later may help. */
final class UnavailableException extends KvernException {
    private static final long serialVersionUID = 1L;

    UnavailableException(String message) {
        super(message);
    }

    UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
