package io.kvern.store.index;

import io.kvern.model.KvernException;

/** The engine under the index cannot be used, or found its files damaged: the index must be built anew. */
public class IndexDamagedException extends KvernException {
    private static final long serialVersionUID = 1L;

    public IndexDamagedException(String message, Throwable cause) {
        super(message, cause);
    }
}
