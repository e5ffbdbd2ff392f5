package io.kvern.model;

/** Root of Kvern's errors. A message always carries the numbers: what was asked, what the limit is, which setting moves it. */
public class KvernException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public KvernException(String message) {
        super(message);
    }

    public KvernException(String message, Throwable cause) {
        super(message, cause);
    }
}
