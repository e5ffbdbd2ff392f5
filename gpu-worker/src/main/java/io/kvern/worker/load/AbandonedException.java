package io.kvern.worker.load;

import java.io.IOException;

/** A connection is given up in the middle of a reply that nobody wants. It is not the server's fault. */
final class AbandonedException extends IOException {
    private static final long serialVersionUID = 1L;

    AbandonedException(String message) {
        super(message);
    }
}
