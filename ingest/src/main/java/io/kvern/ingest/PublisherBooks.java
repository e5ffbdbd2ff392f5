package io.kvern.ingest;

import io.kvern.ingest.PublishOutcome.Dropped;
import io.kvern.ingest.PublishOutcome.Published;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What a publisher has in flight, and its counters. */
final class PublisherBooks implements Outgoing.Listener {
    private final ByteBudget budget;
    private final Set<Outgoing> inFlight = ConcurrentHashMap.newKeySet();
    private final LongAdder pending = new LongAdder();
    private final LongAdder publishedBlocks = new LongAdder();
    private final LongAdder publishedBytes = new LongAdder();
    private final LongAdder droppedBlocks = new LongAdder();
    private final LongAdder droppedBytes = new LongAdder();
    private final LongAdder failedBlocks = new LongAdder();
    private final LongAdder failedBytes = new LongAdder();
    private final LongAdder removals = new LongAdder();
    private final LongAdder failedRemovals = new LongAdder();

    /** @param budget from which everything in flight has its bytes */
    PublisherBooks(ByteBudget budget) {
        this.budget = budget;
    }

    /** Everything whose outcome has not been told yet; a live view. */
    Set<Outgoing> inFlight() {
        return Collections.unmodifiableSet(inFlight);
    }

    void accepted(Outgoing outgoing) {
        pending.increment();
        inFlight.add(outgoing);
    }

    /** A block that was not accepted. */
    void refused(PublishOutcome outcome, int length) {
        boolean dropped = outcome instanceof Dropped;
        (dropped ? droppedBlocks : failedBlocks).increment();
        (dropped ? droppedBytes : failedBytes).add(length);
    }

    void removalRefused() {
        failedRemovals.increment();
    }

    @Override
    public void decided(Outgoing outgoing, PublishOutcome outcome) {
        boolean done = outcome instanceof Published;
        switch (outgoing) {
            case OutgoingBlock block -> {
                (done ? publishedBlocks : failedBlocks).increment();
                (done ? publishedBytes : failedBytes).add(block.length());
            }
            case OutgoingRemoval removal -> (done ? removals : failedRemovals).increment();
        }
        budget.giveBack(outgoing.reservedBytes());
        pending.decrement();
    }

    @Override
    public void told(Outgoing outgoing) {
        inFlight.remove(outgoing);
    }

    PublisherStats stats() {
        return new PublisherStats(
                publishedBlocks.sum(),
                publishedBytes.sum(),
                droppedBlocks.sum(),
                droppedBytes.sum(),
                failedBlocks.sum(),
                failedBytes.sum(),
                removals.sum(),
                failedRemovals.sum(),
                pending.sum(),
                budget.lent());
    }
}
