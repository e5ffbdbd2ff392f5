package io.kvern.store;

import io.kvern.model.BlockKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The open partials of one partition, oldest first, and the latest publications that were decided without one: their later
 * chunks must not begin anew. Its monitor guards the partials themselves, too.
 */
final class Partials {
    /** A partial expires after so much log time, or idle time at the log's end. The publisher gives up after half of it. */
    static final long EXPIRY_MILLIS = 60_000;

    private static final int REMEMBERED = 4096;

    private final AtomicLong bytesOfAll;
    private final Map<Partial.Id, Partial> open = new LinkedHashMap<>();
    private final Map<Partial.Id, ApplyResult> decided = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Partial.Id, ApplyResult> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** No open partial began earlier by the log's clock, which does not always run forward. */
    private long earliestTimestamp = Long.MAX_VALUE;

    private boolean closed;

    /** @param bytesOfAll space reserved by the partials of all partitions */
    Partials(AtomicLong bytesOfAll) {
        this.bytesOfAll = bytesOfAll;
    }

    synchronized @Nullable Partial get(Partial.Id id) {
        return open.get(id);
    }

    synchronized @Nullable ApplyResult decided(Partial.Id id) {
        return decided.get(id);
    }

    synchronized void decide(Partial.Id id, ApplyResult result) {
        decided.put(id, result);
    }

    /** False where the partition is closed: the caller settles the reservation. */
    synchronized boolean begin(Partial partial) {
        if (closed) {
            return false;
        }
        open.put(partial.id(), partial);
        earliestTimestamp = Math.min(earliestTimestamp, partial.firstTimestamp());
        bytesOfAll.addAndGet(partial.length());
        return true;
    }

    /**
     * Ends it, whatever became of it; false where it had ended before.
     *
     * @param fate what its later chunks are told
     */
    synchronized boolean end(Partial partial, ApplyResult fate) {
        if (!open.remove(partial.id(), partial)) {
            return false;
        }
        if (!partial.whole()) {
            decided.put(partial.id(), fate);
        }
        bytesOfAll.addAndGet(-partial.length());
        partial.reservation().settle();
        return true;
    }

    synchronized @Nullable Partial oldest() {
        return open.isEmpty() ? null : open.values().iterator().next();
    }

    synchronized int size() {
        return open.size();
    }

    /** A removal or a clear in the log cancels what began before it. */
    void cancel(BlockKey key, long before) {
        endAll(partial -> partial.id().key().equals(key) && partial.firstOffset() < before);
    }

    /** By log time, as records come. */
    synchronized int expire(long logTimestampMillis) {
        if (logTimestampMillis - EXPIRY_MILLIS <= earliestTimestamp) {
            return 0;
        }
        int ended = endAll(partial -> logTimestampMillis - partial.firstTimestamp() > EXPIRY_MILLIS);
        earliestTimestamp =
                open.values().stream().mapToLong(Partial::firstTimestamp).min().orElse(Long.MAX_VALUE);
        return ended;
    }

    /** By idle time, where no records come. */
    int expireIdle(long nowNanos) {
        return endAll(partial -> nowNanos - partial.touchedNanos() > TimeUnit.MILLISECONDS.toNanos(EXPIRY_MILLIS));
    }

    int endAll() {
        return endAll(partial -> true);
    }

    private synchronized int endAll(Predicate<Partial> which) {
        if (open.isEmpty()) {
            return 0;
        }
        List<Partial> ended = new ArrayList<>();
        open.values().stream().filter(which).forEach(ended::add);
        ended.forEach(partial -> end(partial, ApplyResult.ORPHAN));
        return ended.size();
    }

    /** The log is read again from an earlier place: nothing is open, nothing is decided. */
    synchronized void reset() {
        endAll();
        decided.clear();
    }

    synchronized void close() {
        endAll();
        closed = true;
    }
}
