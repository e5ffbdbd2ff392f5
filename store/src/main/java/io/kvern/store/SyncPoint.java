package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.Fingerprint;
import io.kvern.store.index.BlockIndex;
import io.kvern.store.index.BlockIndex.SegmentState;
import io.kvern.store.index.BlockIndex.UsageTotals;
import io.kvern.store.index.IndexEntry;
import io.kvern.store.segment.BlockLocation;
import io.kvern.store.segment.Frame;
import io.kvern.store.segment.FrameWriter;
import io.kvern.store.segment.Segment;
import io.kvern.store.segment.SegmentDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes what was applied durable, in an order in which every crash is safe: payload, then frames, then the frame with the
 * offsets, then the index. Maintenance thread only. See docs/durability.md.
 */
final class SyncPoint {
    private final StoreCore core;
    private long lastSync;

    /** The index's tables hold at least everything up to this sync point. */
    private long syncOnDisk;

    /** The segment whose log took the last resume frame. */
    private @Nullable Segment lastHost;

    /** @param lastSync number of the last sync point that left any frame */
    SyncPoint(StoreCore core, long lastSync) {
        this.core = core;
        this.lastSync = lastSync;
        this.syncOnDisk = lastSync;
    }

    /** What stood still when the sync point began. */
    private record Frozen(
            Map<Integer, Long> offsets,
            Map<Fingerprint, UsageTotals> usage,
            List<Segment> dirty,
            StoreCore.@Nullable Topic topic) {}

    /** The frames of one log, and where the payload that they name ends. */
    private static final class Log {
        final FrameWriter frames;
        long dataEnd;

        Log(long sync) {
            frames = new FrameWriter(sync);
        }
    }

    /**
     * Reaches a sync point, where there is anything to do.
     *
     * @param evicted segments whose entries were all taken away, to be told as gone
     * @param carried frames of evicted segments that older segments still need
     * @throws IOException after which nothing unsynced may be trusted
     */
    void run(List<Segment> evicted, List<Frame> carried) throws IOException {
        Frozen frozen = freeze();
        if (!core.overlay.hasFrozen()
                && frozen.dirty.isEmpty()
                && evicted.isEmpty()
                && !core.offsets.differ(frozen.offsets)) {
            return;
        }
        for (Segment segment : frozen.dirty) {
            segment.forceData();
        }
        lastSync++;
        Map<Segment, SegmentState> written = writeFrames(frozen, evicted, carried);
        writeIndex(frozen, evicted, written);
        written.forEach((segment, state) -> segment.record(state.log(), state.data()));
        core.overlay.forEachFrozen((key, entry) -> {
            if (entry instanceof IndexEntry.Present present) {
                core.settleEntry(present);
            }
        });
        core.overlay.dropFrozen();
        madeDurable(frozen.offsets);
        core.counters.syncs.increment();
    }

    private Frozen freeze() {
        core.gate.writeLock().lock();
        try {
            core.overlay.freeze();
            List<Segment> dirty = new ArrayList<>();
            for (Segment segment : core.segments.all()) {
                if (segment.dirty()) {
                    segment.clearDirty();
                    dirty.add(segment);
                }
            }
            core.unsyncedBytes.set(0);
            return new Frozen(core.takeOffsets(), core.usage.takeChanged(), dirty, core.topic());
        } finally {
            core.gate.writeLock().unlock();
        }
    }

    private void madeDurable(Map<Integer, Long> offsets) {
        core.gate.readLock().lock();
        try {
            core.offsets.madeDurable(offsets);
        } finally {
            core.gate.readLock().unlock();
        }
    }

    /** Each put goes to its own segment's log; all else to the host's, which is forced last and ends with the offsets. */
    private Map<Segment, SegmentState> writeFrames(Frozen frozen, List<Segment> evicted, List<Frame> carried)
            throws IOException {
        Segment host = core.space.host();
        if (core.space.takeNamesNeedForce()) {
            // First, so that no frame can tell of a file whose name is lost.
            core.segments.force();
        }
        Map<Segment, Log> logs = new HashMap<>();
        Log hostLog = new Log(lastSync);
        logs.put(host, hostLog);
        core.overlay.forEachFrozen((key, entry) -> frame(key, entry, logs, hostLog.frames));
        carried.forEach(hostLog.frames::add);
        evicted.forEach(segment -> hostLog.frames.add(new Frame.Evicted(segment.id())));

        Map<Segment, SegmentState> written = new HashMap<>();
        for (Map.Entry<Segment, Log> log : logs.entrySet()) {
            if (log.getKey() != host) {
                append(log.getKey(), log.getValue(), written);
            }
        }
        StoreCore.Topic topic = frozen.topic;
        if (topic != null) {
            Map<Long, Long> promised = promised(host, written, evicted);
            hostLog.frames.add(new Frame.Resume(topic.id(), topic.partitions(), frozen.offsets, promised));
        }
        append(host, hostLog, written);
        lastHost = host;
        return written;
    }

    private void frame(BlockKey key, IndexEntry entry, Map<Segment, Log> logs, FrameWriter hostFrames) {
        switch (entry) {
            case IndexEntry.Present present -> {
                BlockLocation at = present.location();
                Segment segment = core.segments.get(at.segment());
                if (segment != null) {
                    Log log = logs.computeIfAbsent(segment, first -> new Log(lastSync));
                    log.frames.add(new Frame.Put(key, at));
                    log.dataEnd = Math.max(log.dataEnd, at.place() + at.length());
                }
            }
            case IndexEntry.Removed removed -> hostFrames.add(new Frame.Remove(key, removed.before()));
            case IndexEntry.Evicted _ -> {
                // Told as a whole, by the frame of its segment.
            }
        }
    }

    private void append(Segment segment, Log log, Map<Segment, SegmentState> written) throws IOException {
        if (!log.frames.isEmpty()) {
            segment.append(log.frames.frames(), lastSync);
            segment.forceLog();
        }
        written.put(segment, new SegmentState(segment.logBytes(), Math.max(log.dataEnd, segment.recordedData())));
    }

    /**
     * The lengths that the logs have at least from now on, so that a rebuild knows what it misses: those of this sync point,
     * and all of them where another log begins to take the resume frames.
     */
    private Map<Long, Long> promised(Segment host, Map<Segment, SegmentState> written, List<Segment> evicted) {
        Map<Long, Long> promised = new HashMap<>();
        if (host != lastHost) {
            for (Segment segment : core.segments.all()) {
                if (segment.recordedLog() > SegmentDirectory.LOG_HEADER_BYTES) {
                    promised.put(segment.id(), segment.recordedLog());
                }
            }
        }
        written.forEach((segment, state) -> promised.put(segment.id(), state.log()));
        evicted.forEach(segment -> promised.remove(segment.id()));
        return promised;
    }

    private void writeIndex(Frozen frozen, List<Segment> evicted, Map<Segment, SegmentState> written) {
        try (BlockIndex.Batch batch = core.index.newBatch()) {
            core.overlay.forEachFrozen((key, entry) -> {
                if (entry instanceof IndexEntry.Present present) {
                    batch.put(key, present.location());
                } else {
                    batch.delete(key);
                }
            });
            written.forEach((segment, state) -> batch.segment(segment.id(), state));
            evicted.forEach(segment -> batch.deleteSegment(segment.id()));
            frozen.usage.forEach(batch::usage);
            StoreCore.Topic topic = frozen.topic;
            writeState(
                    batch, topic == null ? null : topic.id(), topic == null ? 0 : topic.partitions(), frozen.offsets);
            batch.lastSync(lastSync);
            // An evicted segment's files go next, and its frames with them: the index on disk must not need them any
            // more.
            boolean needed = evicted.stream().anyMatch(segment -> segment.newestSync() > syncOnDisk);
            batch.write(needed);
            if (needed) {
                syncOnDisk = lastSync;
            }
        }
    }

    static void writeState(BlockIndex.Batch batch, @Nullable UUID topic, int partitions, Map<Integer, Long> offsets) {
        if (topic != null) {
            batch.topic(topic, partitions);
        }
        offsets.forEach((partition, offset) -> {
            if (offset == PartitionHandle.NONE) {
                batch.deleteOffset(partition);
            } else {
                batch.offset(partition, offset);
            }
        });
    }
}
