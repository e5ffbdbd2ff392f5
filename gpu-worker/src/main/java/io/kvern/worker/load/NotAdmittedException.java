package io.kvern.worker.load;

import java.io.IOException;

/** The server refused the user or the password. The message is the server's. */
final class NotAdmittedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotAdmittedException(String message) {
        super(message);
    }
}
