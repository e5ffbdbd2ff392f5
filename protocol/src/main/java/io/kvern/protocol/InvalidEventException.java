package io.kvern.protocol;

import io.kvern.model.KvernException;

/** An event that can never be valid: undecodable, of an unknown schema, with impossible lengths. It is a dead letter. */
public class InvalidEventException extends KvernException {
    private static final long serialVersionUID = 1L;

    public InvalidEventException(String message) {
        super(message);
    }

    public InvalidEventException(String message, Throwable cause) {
        super(message, cause);
    }
}
