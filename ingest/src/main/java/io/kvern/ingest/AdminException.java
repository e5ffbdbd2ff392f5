package io.kvern.ingest;

import io.kvern.model.KvernException;

/** The topics cannot be administered: no broker answers in time, Kafka refuses, or the topics are not those pinned. */
public class AdminException extends KvernException {
    private static final long serialVersionUID = 1L;

    public AdminException(String message) {
        super(message);
    }

    public AdminException(String message, Throwable cause) {
        super(message, cause);
    }
}
