package io.kvern.resp.server;

import io.kvern.model.KvernException;

/** No memory came free within the patience. Trying again later may help. */
public final class BudgetSpentException extends KvernException {
    private static final long serialVersionUID = 1L;

    BudgetSpentException(String message) {
        super(message);
    }
}
