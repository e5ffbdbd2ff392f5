package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.Slot;
import io.kvern.store.index.BlockIndex;
import io.kvern.store.index.BlockIndex.SegmentState;
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
 * Brings an index up to what the segments' logs say: frames that it has not seen, in the order of their sync points. From an
 * empty index this is the rebuild. Frames of sync points that the index has behind it are passed over: it has them, or they
 * were withdrawn.
 */
final class RollForward {
    private static final Logger LOG = LoggerFactory.getLogger(RollForward.class);
    private static final int STEP = 4096;

    private final SegmentDirectory segments;
    private final BlockIndex index;
    private final UsageTable usage = new UsageTable();
    private final Map<Integer, Long> offsets;

    /** What the index knew of each segment, and how far each log was read here. */
    private final Map<Long, SegmentState> known;

    private final Map<Long, SegmentState> read = new HashMap<>();

    /** Segment to the length its log must have, as resume frames say. */
    private final Map<Long, Long> promised = new HashMap<>();

    private final Set<Long> evicted = new HashSet<>();
    private final Set<Long> unreadable = new HashSet<>();

    /** Segments whose frames are in the index, or were applied here. */
    private final Set<Long> told;

    /** Changes of this step, which the index cannot answer yet. */
    private final Map<BlockKey, Optional<BlockLocation>> pending = new HashMap<>();

    private final long syncBefore;
    private @Nullable UUID topicId;
    private int partitions;
    private long lastSync;
    private long frames;

    RollForward(SegmentDirectory segments, BlockIndex index) {
        this.segments = segments;
        this.index = index;
        BlockIndex.Meta meta = index.meta();
        this.offsets = new HashMap<>(meta.offsets());
        this.known = meta.segments();
        this.told = new HashSet<>(known.keySet());
        this.topicId = meta.topicId();
        this.partitions = meta.partitions();
        this.syncBefore = meta.lastSync();
        this.lastSync = syncBefore;
        usage.reset(meta.usage());
    }

    /**
     * What was done.
     *
     * @param lastSync number of the last sync point that left a frame
     * @param highestSegment the highest segment id that was ever heard of
     * @param lost what sync points had recorded and the files lack, in words
     */
    record Outcome(long lastSync, long highestSegment, List<String> lost) {
        /** The same, with a segment that only another index had heard of. */
        Outcome knowing(long segment) {
            return new Outcome(lastSync, Math.max(highestSegment, segment), lost);
        }
    }

    /**
     * Applies what is new. Where files lack what was recorded, an index that was empty before holds what is left, without
     * offsets, so that the log's records come again from its start; any other index is not finished, and is to be built anew.
     */
    Outcome run() throws IOException {
        boolean rebuilding = syncBefore == 0 && known.isEmpty();
        replay();
        flush();
        for (long id : evicted) {
            purge(id);
        }
        List<String> lost = lost();
        if (lost.isEmpty() || rebuilding) {
            if (!lost.isEmpty()) {
                offsets.replaceAll((partition, offset) -> PartitionHandle.NONE);
            }
            if (!lost.isEmpty() || known.keySet().stream().anyMatch(id -> segments.get(id) == null)) {
                dropDangling();
            }
            dropDead();
            finish();
        }
        if (frames > 0) {
            LOG.info("Rolled {} frames forward into the index", frames);
        }
        return new Outcome(lastSync, highestSegment(), lost);
    }

    // ---- frames

    /** A log with its next frame. */
    private record Cursor(Segment segment, FrameScanner scanner, Frame.At next) {}

    private void replay() throws IOException {
        PriorityQueue<Cursor> queue =
                new PriorityQueue<>(Comparator.comparingLong((Cursor cursor) -> cursor.next.sync())
                        .thenComparingLong(cursor -> cursor.segment.id()));
        try {
            for (Segment segment : segments.all()) {
                SegmentState before = known.getOrDefault(segment.id(), new SegmentState(0, 0));
                FrameScanner scanner = segments.scan(segment.id(), before.log());
                if (scanner != null) {
                    read.put(segment.id(), new SegmentState(scanner.position(), before.data()));
                    advance(segment, scanner, queue);
                } else {
                    unreadable.add(segment.id());
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
        if (next == null) {
            scanner.close();
        } else {
            queue.add(new Cursor(segment, scanner, next));
        }
    }

    private void apply(Segment segment, Frame.At at) {
        long dataEnd = 0;
        if (at.sync() > syncBefore) {
            frames++;
            told.add(segment.id());
            lastSync = Math.max(lastSync, at.sync());
            switch (at.frame()) {
                case Frame.Put put -> {
                    if (put.location().segment() == segment.id()) {
                        change(put.key(), put.location());
                        dataEnd = put.location().place() + put.location().length();
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
                }
            }
            if (pending.size() >= STEP) {
                flush();
            }
        }
        long end = dataEnd;
        read.compute(
                segment.id(),
                (id, before) -> new SegmentState(at.end(), before == null ? end : Math.max(before.data(), end)));
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

    /** Entries and usage together, so that a crash between two steps leaves a count that is true. */
    private void flush() {
        try (BlockIndex.Batch batch = index.newBatch()) {
            pending.forEach(
                    (key, location) -> location.ifPresentOrElse(at -> batch.put(key, at), () -> batch.delete(key)));
            usage.takeChanged().forEach(batch::usage);
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
        read.remove(id);
        segments.unlink(segment);
    }

    // ---- what is missing, and what is left over

    private List<String> lost() {
        List<String> lost = new ArrayList<>();
        Set<Long> expected = new HashSet<>(known.keySet());
        expected.addAll(promised.keySet());
        expected.addAll(read.keySet());
        expected.addAll(unreadable);
        expected.removeAll(evicted);
        for (long id : expected) {
            String name = SegmentDirectory.name(id);
            Segment segment = segments.get(id);
            SegmentState before = known.getOrDefault(id, new SegmentState(0, 0));
            SegmentState now = read.getOrDefault(id, before);
            long wanted = Math.max(before.log(), promised.getOrDefault(id, 0L));
            if (segment == null) {
                lost.add("segment " + name);
            } else if (unreadable.contains(id)) {
                // One that no sync point told of is a new segment's, which stopped before its log was ever forced.
                if (wanted > 0) {
                    lost.add("log of segment " + name);
                }
            } else if (segment.logBytes() < wanted || now.log() < wanted) {
                lost.add("frames of segment " + name);
            } else if (segment.tail() < now.data()) {
                lost.add("payload of segment " + name);
            }
        }
        return lost;
    }

    /** Entries whose bytes are gone, found only by looking at all of them; usage is counted anew on the way. */
    private void dropDangling() {
        UsageTable counted = new UsageTable();
        List<BlockKey> dangling = new ArrayList<>();
        index.forEach(0, Slot.COUNT - 1, (key, location) -> {
            Segment segment = segments.get(location.segment());
            if (segment == null || location.place() + location.length() > segment.tail()) {
                dangling.add(key);
            } else {
                counted.add(key.fingerprint(), 1, location.length());
            }
        });
        try (BlockIndex.Batch batch = index.newBatch()) {
            dangling.forEach(batch::delete);
            index.meta().usage().keySet().forEach(namespace -> batch.usage(namespace, counted.of(namespace)));
            batch.write(false);
        }
        if (!dangling.isEmpty()) {
            LOG.warn("{} blocks went with files that are gone", dangling.size());
        }
    }

    /**
     * Segments that no sync point told of, or only one that was withdrawn, or whose eviction was cut short, or whose log
     * cannot be read: no entry names their bytes.
     */
    private void dropDead() {
        List<Segment> dead = new ArrayList<>();
        for (Segment segment : segments.all()) {
            if (!told.contains(segment.id())) {
                dead.add(segment);
            }
        }
        for (Segment segment : dead) {
            LOG.info("Segment {} holds nothing that is known; removed", SegmentDirectory.name(segment.id()));
            read.remove(segment.id());
            segments.unlink(segment);
        }
    }

    private void finish() {
        try (BlockIndex.Batch batch = index.newBatch()) {
            known.keySet().stream().filter(id -> segments.get(id) == null).forEach(batch::deleteSegment);
            read.forEach((id, state) -> {
                Segment segment = segments.get(id);
                if (segment != null) {
                    // A loss is told once: from now on what is there is what must be there.
                    SegmentState accepted = new SegmentState(state.log(), Math.min(state.data(), segment.tail()));
                    batch.segment(id, accepted);
                    segment.record(accepted.log(), accepted.data());
                }
            });
            SyncPoint.writeState(batch, topicId, partitions, offsets);
            batch.lastSync(lastSync);
            batch.write(true);
        }
    }

    private long highestSegment() {
        long highest = 0;
        for (Set<Long> ids : List.of(known.keySet(), promised.keySet(), evicted)) {
            for (long id : ids) {
                highest = Math.max(highest, id);
            }
        }
        return highest;
    }
}
