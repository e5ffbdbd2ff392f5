package io.kvern.ingest;

/** No broker answers in time: none runs there, or it cannot be reached. Trying later may help. */
public class KafkaUnavailableException extends AdminException {
    private static final long serialVersionUID = 1L;

    public KafkaUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
