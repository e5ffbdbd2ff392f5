package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.Slot;
import io.kvern.store.index.BlockIndex;
import io.kvern.store.segment.BlockLocation;
import io.kvern.store.segment.Frame;
import io.kvern.store.segment.FrameScanner;
import io.kvern.store.segment.Segment;
import io.kvern.store.segment.SegmentDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the index up to what the segments' logs say: frames that it has not seen, in the order of their sync points. From an
 * empty index this is the rebuild. Where a segment or a frame turns out missing, the offsets are forgotten, so that the log's
 * records come again; what is intact stays.
 */
final class RollForward {
    private static final Logger LOG = LoggerFactory.getLogger(RollForward.class);
    private static final int STEP = 4096;

    private final SegmentDirectory segments;
    private final BlockIndex index;
    private final UsageTable usage = new UsageTable();
    private final Map<Integer, Long> offsets;
    private final Map<Long, Long> applied;
    private final Map<Long, Long> promised = new HashMap<>();
    private final Set<Long> evicted = new HashSet<>();

    /** Changes of this step, which the index cannot answer yet. */
    private final Map<BlockKey, Optional<BlockLocation>> pending = new HashMap<>();

    private @Nullable UUID topicId;
    private int partitions;
    private long lastSync;
    private long frames;

    RollForward(SegmentDirectory segments, BlockIndex index) {
        this.segments = segments;
        this.index = index;
        BlockIndex.Meta meta = index.meta();
        this.offsets = new HashMap<>(meta.offsets());
        this.applied = new HashMap<>(meta.logApplied());
        this.topicId = meta.topicId();
        this.partitions = meta.partitions();
        this.lastSync = meta.lastSync();
        usage.reset(meta.usage());
    }

    /**
     * What was done.
     *
     * @param lastSync number of the last sync point that left a frame
     * @param highestSegment the highest segment id that was ever heard of
     */
    record Outcome(long lastSync, long highestSegment) {}

    Outcome run() throws IOException {
        Set<Long> known = new HashSet<>(applied.keySet());
        replay();
        flush();
        for (long id : evicted) {
            purge(id);
        }
        known.addAll(promised.keySet());
        List<String> missing = missing(known);
        if (!missing.isEmpty()) {
            LOG.warn(
                    "Missing from {} logs: {}. The log's records will be read again from its start",
                    missing.size(),
                    missing);
            offsets.replaceAll((partition, offset) -> PartitionHandle.NONE);
            dropDangling();
        }
        applied.keySet().removeIf(id -> segments.get(id) == null);
        finish(known);
        if (frames > 0) {
            LOG.info("Rolled {} frames forward into the index", frames);
        }
        long highest = known.stream().mapToLong(Long::longValue).max().orElse(0);
        return new Outcome(
                lastSync,
                Math.max(
                        highest,
                        evicted.stream().mapToLong(Long::longValue).max().orElse(0)));
    }

    /** A log with its next frame. */
    private record Cursor(Segment segment, FrameScanner scanner, Frame.At next) {}

    private void replay() throws IOException {
        PriorityQueue<Cursor> queue =
                new PriorityQueue<>(Comparator.comparingLong((Cursor cursor) -> cursor.next.sync())
                        .thenComparingLong(cursor -> cursor.segment.id()));
        try {
            for (Segment segment : segments.all()) {
                FrameScanner scanner = segments.scan(segment.id(), applied.getOrDefault(segment.id(), 0L));
                if (scanner != null) {
                    advance(segment, scanner, queue);
                } else {
                    LOG.warn("The log of segment {} is damaged", SegmentDirectory.name(segment.id()));
                }
            }
            while (!queue.isEmpty()) {
                Cursor cursor = queue.remove();
                apply(cursor.segment, cursor.next);
                advance(cursor.segment, cursor.scanner, queue);
            }
        } finally {
            for (Cursor cursor : queue) {
                cursor.scanner.close();
            }
        }
    }

    private void advance(Segment segment, FrameScanner scanner, PriorityQueue<Cursor> queue) throws IOException {
        Frame.At next = scanner.next();
        if (next != null) {
            queue.add(new Cursor(segment, scanner, next));
            return;
        }
        applied.merge(segment.id(), scanner.position(), Math::max);
        scanner.close();
    }

    private void apply(Segment segment, Frame.At at) {
        frames++;
        lastSync = Math.max(lastSync, at.sync());
        switch (at.frame()) {
            case Frame.Put put -> {
                if (put.location().segment() == segment.id()) {
                    change(put.key(), put.location());
                }
            }
            case Frame.Remove remove -> {
                BlockLocation standing = standing(remove.key());
                if (standing != null && standing.logOffset() < remove.before()) {
                    change(remove.key(), null);
                }
            }
            case Frame.Evicted gone -> evicted.add(gone.segment());
            case Frame.Resume resume -> {
                topicId = resume.topicId();
                partitions = resume.partitions();
                offsets.putAll(resume.offsets());
                resume.logLengths().forEach((id, length) -> promised.merge(id, length, Math::max));
                // Its own frame ends the log's part of the sync point.
                promised.merge(segment.id(), at.end(), Math::max);
            }
        }
        if (pending.size() >= STEP) {
            flush();
        }
    }

    private @Nullable BlockLocation standing(BlockKey key) {
        Optional<BlockLocation> changed = pending.get(key);
        return changed != null ? changed.orElse(null) : index.get(key);
    }

    private void change(BlockKey key, @Nullable BlockLocation location) {
        BlockLocation before = standing(key);
        if (before != null) {
            usage.add(key.fingerprint(), -1, -before.length());
        }
        if (location != null) {
            usage.add(key.fingerprint(), 1, location.length());
        }
        pending.put(key, Optional.ofNullable(location));
    }

    private void flush() {
        try (BlockIndex.Batch batch = index.newBatch()) {
            pending.forEach(
                    (key, location) -> location.ifPresentOrElse(at -> batch.put(key, at), () -> batch.delete(key)));
            batch.write(false);
        }
        pending.clear();
    }

    /** A segment that was told gone but is still there: its eviction had not come to its end. */
    private void purge(long id) throws IOException {
        Segment segment = segments.get(id);
        if (segment == null) {
            return;
        }
        try (FrameScanner scanner = segments.scan(id, SegmentDirectory.LOG_HEADER_BYTES)) {
            Frame.At at = scanner == null ? null : scanner.next();
            while (scanner != null && at != null) {
                if (at.frame() instanceof Frame.Put put) {
                    BlockLocation standing = standing(put.key());
                    if (standing != null && standing.segment() == id) {
                        change(put.key(), null);
                    }
                }
                at = scanner.next();
            }
        }
        flush();
        segments.unlink(segment);
    }

    /** Segments and frames that a sync point promised, and that are neither there nor told evicted. */
    private List<String> missing(Set<Long> known) {
        List<String> missing = new ArrayList<>();
        for (long id : known) {
            if (evicted.contains(id)) {
                continue;
            }
            if (segments.get(id) == null) {
                missing.add("segment " + SegmentDirectory.name(id));
            } else if (applied.getOrDefault(id, 0L) < promised.getOrDefault(id, 0L)) {
                missing.add("frames of segment " + SegmentDirectory.name(id));
            }
        }
        return missing;
    }

    /** Entries of segments that are gone, found only by looking at all of them; usage is counted anew on the way. */
    private void dropDangling() {
        usage.reset(Map.of());
        List<BlockKey> dangling = new ArrayList<>();
        index.forEach(0, Slot.COUNT - 1, (key, location) -> {
            if (segments.get(location.segment()) == null) {
                dangling.add(key);
            } else {
                usage.add(key.fingerprint(), 1, location.length());
            }
        });
        try (BlockIndex.Batch batch = index.newBatch()) {
            dangling.forEach(batch::delete);
            index.meta().usage().keySet().forEach(namespace -> batch.usage(namespace, usage.of(namespace)));
            batch.write(false);
        }
        LOG.warn("{} blocks went with missing segments", dangling.size());
    }

    private void finish(Set<Long> known) {
        try (BlockIndex.Batch batch = index.newBatch()) {
            known.stream().filter(id -> segments.get(id) == null).forEach(batch::deleteSegment);
            applied.forEach(batch::logApplied);
            usage.takeChanged().forEach(batch::usage);
            SyncPoint.writeState(batch, topicId, partitions, offsets);
            batch.lastSync(lastSync);
            batch.write(true);
        }
    }
}
