package io.kvern.store;

import java.util.concurrent.atomic.LongAdder;

/** What happened since the store was opened. Any thread. */
final class StoreCounters {
    final LongAdder stored = new LongAdder();
    final LongAdder storedBytes = new LongAdder();
    final LongAdder duplicates = new LongAdder();
    final LongAdder conflicts = new LongAdder();
    final LongAdder superseded = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder expiredPartials = new LongAdder();
    final LongAdder removed = new LongAdder();
    final LongAdder evictedBlocks = new LongAdder();
    final LongAdder evictedSegments = new LongAdder();
    final LongAdder keptBlocks = new LongAdder();
    final LongAdder keptBytes = new LongAdder();
    final LongAdder reads = new LongAdder();
    final LongAdder readBytes = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder corrupt = new LongAdder();
    final LongAdder readErrors = new LongAdder();
    final LongAdder writeErrors = new LongAdder();
    final LongAdder syncs = new LongAdder();
    final LongAdder syncFailures = new LongAdder();

    void count(ApplyResult result) {
        switch (result) {
            case DUPLICATE -> duplicates.increment();
            case CONFLICT -> conflicts.increment();
            case SUPERSEDED -> superseded.increment();
            case REFUSED -> refused.increment();
            case STORED, PARTIAL, ORPHAN -> {
                // Counted where the block's length is known, or not at all.
            }
        }
    }
}
