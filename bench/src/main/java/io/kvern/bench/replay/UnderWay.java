package io.kvern.bench.replay;

import io.kvern.ingest.Publication;
import io.kvern.ingest.PublishOutcome;
import io.kvern.model.KvernException;
import io.kvern.streams.StoreNode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that were published and that the node may not have applied yet: a reader who wants to see its own writes waits for
 * these, and for no others. Belongs to the replay's thread.
 */
final class UnderWay {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private record Sent(long hashId, CompletableFuture<PublishOutcome> outcome) {}

    private final StoreNode node;
    private final Map<Long, Sent> byId = new HashMap<>();
    private final ArrayDeque<Sent> inOrder = new ArrayDeque<>();

    /** Partition to the offset up to which the node has applied it, as far as was asked. */
    private final Map<Integer, Long> applied = new HashMap<>();

    private final ActiveClock clock = new ActiveClock();

    UnderWay(StoreNode node) {
        this.node = node;
    }

    void add(long hashId, Publication publication) {
        clock.begin();
        var _ = publication.outcome().whenComplete((outcome, error) -> clock.end());
        Sent sent = new Sent(hashId, publication.outcome());
        byId.put(hashId, sent);
        inOrder.add(sent);
    }

    /** Waits until what is under way of these blocks is acknowledged and applied, or has failed. */
    void awaitStored(List<Long> hashIds) throws InterruptedException {
        forgetStored();
        Map<Integer, Long> wanted = new HashMap<>();
        for (long hashId : hashIds) {
            Sent sent = byId.get(hashId);
            if (sent != null && published(sent) instanceof PublishOutcome.Published at) {
                wanted.merge(at.partition(), at.lastOffset(), Math::max);
            }
        }
        for (Map.Entry<Integer, Long> end : wanted.entrySet()) {
            if (!isApplied(end.getKey(), end.getValue(), PATIENCE)) {
                throw new KvernException("the store node did not apply partition %d up to offset %d within %s"
                        .formatted(end.getKey(), end.getValue(), PATIENCE));
            }
        }
        hashIds.forEach(byId::remove);
    }

    /** Waits for everything. */
    void awaitAll() throws InterruptedException {
        awaitStored(List.copyOf(byId.keySet()));
        inOrder.clear();
    }

    /** Nanoseconds in which anything waited for Kafka's acknowledgement. */
    long publishingNanos() {
        return clock.nanos();
    }

    private void forgetStored() throws InterruptedException {
        Sent first;
        while ((first = inOrder.peek()) != null && first.outcome.isDone() && stored(first)) {
            inOrder.remove();
            byId.remove(first.hashId, first);
        }
    }

    private boolean stored(Sent sent) throws InterruptedException {
        return !(published(sent) instanceof PublishOutcome.Published at)
                || isApplied(at.partition(), at.lastOffset(), Duration.ZERO);
    }

    private boolean isApplied(int partition, long offset, Duration patience) throws InterruptedException {
        if (applied.getOrDefault(partition, -1L) >= offset) {
            return true;
        }
        if (!node.awaitApplied(partition, offset, patience)) {
            return false;
        }
        applied.put(partition, offset);
        return true;
    }

    private static @Nullable PublishOutcome published(Sent sent) throws InterruptedException {
        try {
            return sent.outcome.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new KvernException("a publication had no outcome within " + PATIENCE, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("an outcome never completes exceptionally", e);
        }
    }
}
