package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.WriteMode;
import io.kvern.store.index.IndexEntry;
import io.kvern.store.segment.BlockLocation;
import io.kvern.store.segment.Frame;
import io.kvern.store.segment.FrameScanner;
import io.kvern.store.segment.Segment;
import io.kvern.store.segment.SegmentDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the oldest segment away: its entries first, in steps that let others through; then, after a sync point that tells so,
 * its files. Maintenance thread only.
 */
final class Eviction {
    private static final Logger LOG = LoggerFactory.getLogger(Eviction.class);
    private static final int STEP = 256;

    private final StoreCore core;
    private final SyncPoint syncPoint;

    Eviction(StoreCore core, SyncPoint syncPoint) {
        this.core = core;
        this.syncPoint = syncPoint;
    }

    /** Evicts until there is room, or nothing is left to evict. */
    void makeRoom() throws IOException {
        core.space.measure();
        while (core.space.wantsEviction()) {
            Segment oldest = candidate();
            if (oldest != null && oldest.hasUnpersistedEntries()) {
                syncPoint.run(List.of(), List.of());
                oldest = candidate();
            }
            if (oldest == null || oldest.hasUnpersistedEntries()) {
                core.space.nothingToEvict();
                return;
            }
            evict(oldest);
            core.space.measure();
            core.space.roomMade();
        }
    }

    private @Nullable Segment candidate() {
        for (Segment segment : core.segments.all()) {
            if (segment.sealed() && !segment.reserved() && !core.space.isActive(segment)) {
                return segment;
            }
        }
        return null;
    }

    private void evict(Segment segment) throws IOException {
        boolean olderLives = core.segments.hasOlderThan(segment.id());
        List<Frame> carried = new ArrayList<>();
        int blocks = 0;
        try (FrameScanner scanner = core.segments.scan(segment.id(), SegmentDirectory.LOG_HEADER_BYTES)) {
            List<Frame.Put> step = new ArrayList<>();
            Frame.At at = scanner == null ? null : scanner.next();
            while (scanner != null && at != null) {
                switch (at.frame()) {
                    case Frame.Put put -> step.add(put);
                    case Frame.Remove remove when olderLives -> carried.add(remove);
                    case Frame.Evicted evicted when olderLives -> carried.add(evicted);
                    default -> {
                        // Nothing that outlives its segment.
                    }
                }
                if (step.size() == STEP) {
                    blocks += takeAway(segment, step, olderLives);
                    step.clear();
                }
                at = scanner.next();
            }
            blocks += takeAway(segment, step, olderLives);
        }
        syncPoint.run(List.of(segment), carried);
        core.segments.unlink(segment);
        core.counters.evictedBlocks.add(blocks);
        core.counters.evictedSegments.increment();
        LOG.debug("Evicted segment {} with {} blocks", SegmentDirectory.name(segment.id()), blocks);
    }

    private int takeAway(Segment segment, List<Frame.Put> step, boolean olderLives) {
        int taken = 0;
        core.gate.writeLock().lock();
        try {
            for (Frame.Put put : step) {
                BlockKey key = put.key();
                BlockLocation standing = core.locate(key);
                if (standing == null || standing.segment() != segment.id()) {
                    continue;
                }
                // An older value of a key may still stand in an older segment: a rebuild must not find it again.
                boolean tell = olderLives && standing.mode() == WriteMode.SET;
                core.change(key, tell ? new IndexEntry.Removed(standing.logOffset() + 1) : new IndexEntry.Evicted());
                taken++;
            }
        } finally {
            core.gate.writeLock().unlock();
        }
        return taken;
    }
}
