package io.kvern.store;

import io.kvern.model.KvernException;

/** The store itself failed, not the record: applying must stop, and the same records must come again. */
public class StoreFailedException extends KvernException {
    private static final long serialVersionUID = 1L;

    public StoreFailedException(String message) {
        super(message);
    }

    public StoreFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
