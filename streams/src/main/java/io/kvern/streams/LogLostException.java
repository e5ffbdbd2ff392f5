package io.kvern.streams;

import io.kvern.model.KvernException;

/**
 * The log has lost records that this node applied or should have applied. It ends a stream thread on purpose: the next one
 * begins with clients of its own. A consumer that has seen a later leader epoch than the log now has would not follow it any
 * more.
 */
final class LogLostException extends KvernException {
    private static final long serialVersionUID = 1L;

    LogLostException(String message) {
        super(message);
    }

    /** Whether {@code failure}, or what caused it, is one. */
    static boolean isIn(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof LogLostException) {
                return true;
            }
        }
        return false;
    }
}
