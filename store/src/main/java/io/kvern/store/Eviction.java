package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.Slot;
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
 * Takes the oldest segment away: its entries first, in steps that let others through, some of which move to a new place
 * ({@link SecondChance}); then, after a sync point that tells so, its files. Maintenance thread only.
 */
final class Eviction {
    private static final Logger LOG = LoggerFactory.getLogger(Eviction.class);
    private static final int STEP = 256;

    /** One pair that cannot be deleted may be an accident; more, and evicting would empty the store for nothing. */
    private static final int STUCK_ALLOWED = 1;

    private final StoreCore core;
    private final SyncPoint syncPoint;

    Eviction(StoreCore core, SyncPoint syncPoint) {
        this.core = core;
        this.syncPoint = syncPoint;
    }

    /**
     * Evicts until there is room, or nothing is left to evict.
     *
     * @throws IOException if a sync point failed on the way
     */
    void makeRoom() throws IOException {
        measure();
        while (true) {
            long asked = core.space.asked();
            if (!core.space.wantsEviction()) {
                return;
            }
            Victim victim = core.segments.retryUnlinks() > STUCK_ALLOWED ? null : victim();
            if (victim == null) {
                core.space.nothingToEvict(asked);
                return;
            }
            evict(victim);
            measure();
            core.space.roomMade();
        }
    }

    private void measure() {
        try {
            core.space.measure();
        } catch (IOException e) {
            LOG.warn("The file system does not tell its free space: {}", e.toString());
        }
    }

    /**
     * A segment that may go.
     *
     * @param readable whether its log tells all its blocks
     * @param carried frames that must outlive it
     */
    private record Victim(Segment segment, boolean readable, List<Frame> carried) {}

    private @Nullable Victim victim() throws IOException {
        boolean synced = false;
        for (Segment segment : core.segments.all()) {
            if (!segment.sealed() || segment.reserved() || core.space.isActive(segment)) {
                continue;
            }
            if (segment.hasUnpersistedEntries() && !synced) {
                syncPoint.run(List.of(), List.of());
                synced = true;
            }
            Victim victim = segment.hasUnpersistedEntries() ? null : victim(segment);
            if (victim != null) {
                return victim;
            }
        }
        return null;
    }

    private @Nullable Victim victim(Segment segment) {
        boolean olderLives = core.segments.hasOlderThan(segment.id());
        List<Frame> carried = new ArrayList<>();
        boolean readable = false;
        try (FrameScanner scanner = core.segments.scan(segment.id(), SegmentDirectory.LOG_HEADER_BYTES)) {
            if (scanner != null) {
                for (Frame.At at = scanner.next(); at != null; at = scanner.next()) {
                    if (olderLives && (at.frame() instanceof Frame.Remove || at.frame() instanceof Frame.Evicted)) {
                        carried.add(at.frame());
                    }
                }
                readable = scanner.position() >= segment.recordedLog();
            }
        } catch (IOException e) {
            LOG.warn("Reading the log of segment {} failed: {}", name(segment), e.toString());
        }
        // What an unreadable log took away from older segments is not known any more: those go first.
        return readable || !olderLives ? new Victim(segment, readable, carried) : null;
    }

    private void evict(Victim victim) throws IOException {
        Segment segment = victim.segment;
        Taking taking = new Taking(segment);
        if (victim.readable) {
            takeLogged(segment, taking);
        } else {
            takeIndexed(segment, taking);
        }
        taking.finish();
        syncPoint.run(List.of(segment), victim.carried);
        core.segments.unlink(segment);
        core.counters.evictedBlocks.add(taking.blocks);
        core.counters.evictedSegments.increment();
        LOG.debug("Evicted segment {} with {} blocks", name(segment), taking.blocks);
    }

    private void takeLogged(Segment segment, Taking taking) throws IOException {
        try (FrameScanner scanner = core.segments.scan(segment.id(), SegmentDirectory.LOG_HEADER_BYTES)) {
            for (Frame.At at = scanner == null ? null : scanner.next(); scanner != null && at != null; ) {
                if (at.frame() instanceof Frame.Put put) {
                    taking.add(put.key());
                }
                at = scanner.next();
            }
        }
    }

    private void takeIndexed(Segment segment, Taking taking) throws IOException {
        LOG.warn("The log of segment {} cannot be read; its blocks are looked for in the index", name(segment));
        List<BlockKey> keys = new ArrayList<>();
        core.index.forEach(0, Slot.COUNT - 1, (key, location) -> {
            if (location.segment() == segment.id()) {
                keys.add(key);
            }
        });
        for (BlockKey key : keys) {
            taking.add(key);
        }
    }

    /** Takes entries away step by step; where they are very many, with sync points between, so that memory stays bounded. */
    private final class Taking {
        private final Segment segment;
        private final SecondChance chance;
        private final List<BlockKey> step = new ArrayList<>(STEP);
        private int blocks;

        Taking(Segment segment) {
            this.segment = segment;
            this.chance = new SecondChance(core, segment);
        }

        void add(BlockKey key) throws IOException {
            step.add(key);
            if (step.size() == STEP) {
                finish();
            }
        }

        void finish() throws IOException {
            blocks += takeAway(segment, step, chance);
            step.clear();
            if (core.overlay.size() >= Maintenance.OVERLAY_ENTRIES) {
                syncPoint.run(List.of(), List.of());
            }
        }
    }

    private int takeAway(Segment segment, List<BlockKey> keys, SecondChance chance) {
        boolean olderLives = core.segments.hasOlderThan(segment.id());
        int taken = 0;
        try (SecondChance.Copies copies = chance.copy(keys)) {
            core.gate.writeLock().lock();
            try {
                for (BlockKey key : keys) {
                    BlockLocation standing = core.locate(key);
                    if (standing == null || standing.segment() != segment.id() || copies.replace(key, standing)) {
                        continue;
                    }
                    // An older value of a key may still stand in an older segment: a rebuild must not find it again.
                    boolean tell = olderLives && standing.mode() == WriteMode.SET;
                    core.change(
                            key, tell ? new IndexEntry.Removed(standing.logOffset() + 1) : new IndexEntry.Evicted());
                    taken++;
                }
            } finally {
                core.gate.writeLock().unlock();
            }
        }
        return taken;
    }

    private static String name(Segment segment) {
        return SegmentDirectory.name(segment.id());
    }
}
