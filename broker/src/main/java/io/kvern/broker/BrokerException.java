package io.kvern.broker;

/** The broker cannot start, or has failed. The message names the directory, the port or the setting. */
public class BrokerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BrokerException(String message) {
        super(message);
    }

    public BrokerException(String message, Throwable cause) {
        super(message, cause);
    }
}
