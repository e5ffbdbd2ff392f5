package io.kvern.resp.server;

import io.kvern.model.KvernException;

/** The client is gone, or too slow: nobody reads this reply. Ends the command that was writing it. */
final class OutputClosedException extends KvernException {
    private static final long serialVersionUID = 1L;

    OutputClosedException() {
        super("the connection is closed");
    }
}
