package io.kvern.ingest;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The end of one call that asks the brokers several times. */
final class Deadline {
    private final AdminConfig config;
    private final long end;

    private Deadline(AdminConfig config) {
        this.config = config;
        this.end = System.nanoTime() + config.timeout().toNanos();
    }

    static Deadline of(AdminConfig config) {
        return new Deadline(config);
    }

    boolean passed() {
        return end - System.nanoTime() <= 0;
    }

    /** What is left, 1 ms at least, so that a client asks once and says itself that it was too late. */
    Duration left() {
        return Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
    }

    /**
     * What Kafka answers.
     *
     * @param what is being done, for the message
     * @throws KafkaUnavailableException if it does not answer in time
     * @throws ExecutionException if it answers with an error, to be looked at by the caller
     */
    <T> T await(Future<T> answer, String what) throws ExecutionException {
        try {
            return answer.get(left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw tooLate(what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AdminException("interrupted while trying to " + what, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof org.apache.kafka.common.errors.TimeoutException) {
                throw tooLate(what, e);
            }
            throw e;
        }
    }

    /** The same where every error is one for the caller's caller. */
    <T> T awaitOrFail(Future<T> answer, String what) {
        try {
            return await(answer, what);
        } catch (ExecutionException e) {
            throw refused(what, e);
        }
    }

    AdminException refused(String what, ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return new AdminException(
                "brokers at %s refused to %s: %s".formatted(config.bootstrapServers(), what, cause.getMessage()),
                cause);
    }

    KafkaUnavailableException tooLate(String what, Throwable cause) {
        return new KafkaUnavailableException(
                ("brokers at %s (setting bootstrap.servers) did not answer within %d ms when asked to %s; either none"
                                + " runs there, or the address that they advertise cannot be reached from here")
                        .formatted(config.bootstrapServers(), config.timeout().toMillis(), what),
                cause);
    }
}
