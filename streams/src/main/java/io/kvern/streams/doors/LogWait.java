package io.kvern.streams.doors;

import io.kvern.ingest.PublishOutcome;
import io.kvern.streams.NodeView;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits until a write is in the log and this node has applied it, so that whoever is told OK reads what it wrote. */
final class LogWait {
    private final NodeView node;
    private final Duration writeTimeout;
    private final DoorCounters counters;

    LogWait(NodeView node, Duration writeTimeout, DoorCounters counters) {
        this.node = node;
        this.writeTimeout = writeTimeout;
        this.counters = counters;
    }

    Deadline deadline() {
        return Deadline.in(writeTimeout);
    }

    /** @return null when the write is applied, else the error that says how far it got */
    @Nullable
    String settle(CompletableFuture<PublishOutcome> write, Deadline deadline) throws InterruptedException {
        String error = errorOf(write, deadline);
        (error == null ? counters.writes : counters.writeErrors).increment();
        return error;
    }

    private @Nullable String errorOf(CompletableFuture<PublishOutcome> write, Deadline deadline)
            throws InterruptedException {
        PublishOutcome outcome;
        try {
            outcome = write.get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return "TRYAGAIN not acknowledged by the log within %d ms (setting door.write.timeout); it may still be written"
                    .formatted(writeTimeout.toMillis());
        } catch (ExecutionException e) {
            throw new IllegalStateException("a publication must not complete exceptionally", e);
        }
        return switch (outcome) {
            case PublishOutcome.Dropped(long budget, long inFlight) ->
                "ERR not written: %d bytes are in flight to the log, and the budget is %d (setting publish.budget.bytes)"
                        .formatted(inFlight, budget);
            case PublishOutcome.Failed(String reason, Throwable _) -> "ERR not written to the log: " + reason;
            case PublishOutcome.Published(int partition, long _, long lastOffset) ->
                node.awaitApplied(partition, lastOffset, deadline.left())
                        ? null
                        : "TRYAGAIN stored in the log at partition %d offset %d, not applied yet"
                                .formatted(partition, lastOffset);
        };
    }
}
