package io.kvern.store;

/** There is no room for a block, and none can be made. It is refused and counted; nothing else changes. */
final class NoSpaceException extends Exception {
    private static final long serialVersionUID = 1L;

    NoSpaceException(String message) {
        super(message);
    }
}
