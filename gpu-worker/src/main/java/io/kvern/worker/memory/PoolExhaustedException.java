package io.kvern.worker.memory;

import io.kvern.model.KvernException;

/** No slot came free within the deadline. Slots come back when their leases are released. */
public class PoolExhaustedException extends KvernException {
    private static final long serialVersionUID = 1L;

    PoolExhaustedException(String message) {
        super(message);
    }
}
