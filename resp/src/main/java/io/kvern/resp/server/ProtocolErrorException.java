package io.kvern.resp.server;

import io.kvern.model.KvernException;

/** The client does not speak the protocol, or beyond its limits: it gets the message, and the connection is closed. */
final class ProtocolErrorException extends KvernException {
    private static final long serialVersionUID = 1L;

    ProtocolErrorException(String message) {
        super("Protocol error: " + message);
    }
}
