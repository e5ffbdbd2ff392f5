package io.kvern.resp.client;

import java.io.IOException;

/** The peer sent what is not RESP, or not an answer to what was asked. What follows on that connection means nothing. */
public class MalformedReplyException extends IOException {
    private static final long serialVersionUID = 1L;

    public MalformedReplyException(String message) {
        super(message);
    }
}
