package io.kvern.ingest;

import io.kvern.ingest.PublishOutcome.Failed;
import io.kvern.ingest.PublishOutcome.Published;
import io.kvern.model.BlockKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A block or a removal between {@code publish} and its outcome: one record or more of one key. It is Kafka's callback for
 * each of its records. The first of these decides the outcome: the last acknowledgement, an error, the deadline, the end of
 * the publisher.
 */
abstract sealed class Outgoing implements Callback permits OutgoingBlock, OutgoingRemoval {
    /** Who keeps the books. */
    interface Listener {
        /** Before the outcome is told, so that whoever hears of it finds the budget and the numbers changed. */
        void decided(Outgoing outgoing, PublishOutcome outcome);

        /** After it. */
        void told(Outgoing outgoing);
    }

    private final BlockKey key;
    private final int partition;
    private final int records;
    private final long reservedBytes;
    private final Thread sender;
    private final FailureReason reasons;
    private final Listener listener;
    private final CompletableFuture<PublishOutcome> outcome = new CompletableFuture<>();

    // Guarded by this.
    private int acknowledged;
    private long firstOffset = Long.MAX_VALUE;
    private long lastOffset = -1;
    private boolean decided;
    private @Nullable Future<?> deadline;

    /** What stands in the way at present, said should the deadline pass. */
    private volatile @Nullable Exception obstacle;

    private volatile boolean begun;

    /** Set by a callback within {@code send} itself: the record was not taken. Touched by the sender only. */
    private @Nullable Exception notTaken;

    Outgoing(
            BlockKey key,
            int partition,
            int records,
            long reservedBytes,
            Thread sender,
            FailureReason reasons,
            Listener listener) {
        this.key = key;
        this.partition = partition;
        this.records = records;
        this.reservedBytes = reservedBytes;
        this.sender = sender;
        this.reasons = reasons;
        this.listener = listener;
    }

    /** Called once, after the outcome is decided and before it is told: memory is let go here. */
    abstract void letGo();

    final BlockKey key() {
        return key;
    }

    final int partition() {
        return partition;
    }

    final long reservedBytes() {
        return reservedBytes;
    }

    final CompletableFuture<PublishOutcome> outcome() {
        return outcome;
    }

    final synchronized boolean decided() {
        return decided;
    }

    /** The task that will call {@link #expire}; cancelled once it is not needed. */
    final void watchedBy(Future<?> task) {
        boolean late;
        synchronized (this) {
            deadline = task;
            late = decided;
        }
        if (late) {
            task.cancel(false);
        }
    }

    /** Something that may pass: kept for the message of {@link #expire}. */
    final void obstructedBy(Exception error) {
        obstacle = error;
    }

    /** The sender gives its first record to Kafka now. */
    final void begin() {
        begun = true;
        obstacle = null;
    }

    /** Whether a record of it may be with Kafka. */
    final boolean begun() {
        return begun;
    }

    /** Whether {@code send} took the record just given to it; if not, the reason has been noted and it may be sent again. */
    final boolean taken() {
        Exception refused = notTaken;
        notTaken = null;
        obstacle = refused;
        return refused == null;
    }

    /** Waits for the first acknowledgement, or the outcome, which comes by the deadline; whether it was acknowledged. */
    final synchronized boolean awaitAcknowledgement() throws InterruptedException {
        while (acknowledged == 0 && !decided) {
            wait();
        }
        return acknowledged > 0;
    }

    @Override
    public final void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception error) {
        if (error != null) {
            // Within send() a timeout says that there was no metadata or no room: nothing was sent, and it may be
            // again.
            if (error instanceof TimeoutException && Thread.currentThread() == sender) {
                notTaken = error;
            } else {
                fail(reasons.of(error), error);
            }
        } else if (metadata == null || !metadata.hasOffset()) {
            fail("Kafka acknowledged a record without its offset", new IllegalStateException("no offset"));
        } else {
            acknowledge(metadata.offset());
        }
    }

    private void acknowledge(long offset) {
        Published published;
        synchronized (this) {
            firstOffset = Math.min(firstOffset, offset);
            lastOffset = Math.max(lastOffset, offset);
            acknowledged++;
            notifyAll();
            if (acknowledged < records || decided) {
                return;
            }
            decided = true;
            published = new Published(partition, firstOffset, lastOffset);
        }
        tell(published);
    }

    /** The delivery timeout has passed. */
    final void expire() {
        int done;
        synchronized (this) {
            done = acknowledged;
        }
        Exception known = obstacle;
        String why = known == null ? reasons.silence() : reasons.of(known);
        String reason = reasons.tooLate(done, records, why);
        fail(reason, known == null ? new java.util.concurrent.TimeoutException(reason) : known);
    }

    final void fail(String reason, Throwable cause) {
        synchronized (this) {
            if (decided) {
                return;
            }
            decided = true;
            notifyAll();
        }
        tell(new Failed(reason, cause));
    }

    private void tell(PublishOutcome decision) {
        Future<?> task;
        synchronized (this) {
            task = deadline;
        }
        if (task != null) {
            task.cancel(false);
        }
        letGo();
        listener.decided(this, decision);
        outcome.complete(decision);
        listener.told(this);
    }
}
