package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.Fingerprint;
import io.kvern.store.index.BlockIndex;
import io.kvern.store.index.BlockIndex.UsageTotals;
import io.kvern.store.index.IndexEntry;
import io.kvern.store.segment.Frame;
import io.kvern.store.segment.FrameWriter;
import io.kvern.store.segment.Segment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes what was applied durable, in an order in which every crash is safe: payload, then frames, then the frame with the
 * offsets, then the index. Maintenance thread only. See docs/durability.md.
 */
final class SyncPoint {
    private final StoreCore core;
    private long lastSync;

    /** @param lastSync number of the last sync point that left any frame */
    SyncPoint(StoreCore core, long lastSync) {
        this.core = core;
        this.lastSync = lastSync;
    }

    /** What stood still when the sync point began. */
    private record Frozen(Map<Integer, Long> offsets, Map<Fingerprint, UsageTotals> usage, List<Segment> dirty) {}

    /**
     * @param evicted segments whose entries were all taken away, to be told as gone
     * @param carried frames of evicted segments that older segments still need
     * @return whether there was anything to do
     * @throws IOException after which nothing unsynced may be trusted
     */
    boolean run(List<Segment> evicted, List<Frame> carried) throws IOException {
        Frozen frozen = freeze();
        if (!core.overlay.hasFrozen()
                && frozen.dirty.isEmpty()
                && evicted.isEmpty()
                && !core.offsetsChanged(frozen.offsets)) {
            return false;
        }
        for (Segment segment : frozen.dirty) {
            segment.forceData();
        }
        lastSync++;
        Map<Segment, Long> lengths = writeFrames(frozen, evicted, carried);
        writeIndex(frozen, evicted, lengths);
        core.overlay.forEachFrozen((key, entry) -> {
            if (entry instanceof IndexEntry.Present present) {
                core.settleEntry(present);
            }
        });
        core.overlay.dropFrozen();
        core.madeDurable(frozen.offsets);
        return true;
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
            return new Frozen(core.takeOffsets(), core.usage.takeChanged(), dirty);
        } finally {
            core.gate.writeLock().unlock();
        }
    }

    /** Each put goes to its own segment's log; all else to the host's, which is forced last and ends with the offsets. */
    private Map<Segment, Long> writeFrames(Frozen frozen, List<Segment> evicted, List<Frame> carried)
            throws IOException {
        Segment host = core.space.host();
        Map<Segment, FrameWriter> writers = new HashMap<>();
        FrameWriter hostWriter = new FrameWriter(lastSync);
        writers.put(host, hostWriter);
        core.overlay.forEachFrozen((key, entry) -> frame(key, entry, writers, hostWriter));
        carried.forEach(hostWriter::add);
        evicted.forEach(segment -> hostWriter.add(new Frame.Evicted(segment.id())));

        Map<Segment, Long> lengths = new HashMap<>();
        Map<Long, Long> recorded = new TreeMap<>();
        for (Map.Entry<Segment, FrameWriter> log : writers.entrySet()) {
            if (log.getKey() != host) {
                log.getKey().append(log.getValue().frames());
                log.getKey().forceLog();
                lengths.put(log.getKey(), log.getKey().logBytes());
                recorded.put(log.getKey().id(), log.getKey().logBytes());
            }
        }
        UUID topic = core.topicId();
        if (topic != null) {
            hostWriter.add(new Frame.Resume(topic, core.partitions(), frozen.offsets, recorded));
        }
        if (!hostWriter.isEmpty()) {
            host.append(hostWriter.frames());
        }
        host.forceLog();
        lengths.put(host, host.logBytes());
        if (core.space.takeNamesNeedForce()) {
            core.segments.force();
        }
        return lengths;
    }

    private void frame(BlockKey key, IndexEntry entry, Map<Segment, FrameWriter> writers, FrameWriter hostWriter) {
        switch (entry) {
            case IndexEntry.Present present -> {
                Segment segment = core.segments.get(present.location().segment());
                if (segment != null) {
                    writers.computeIfAbsent(segment, at -> new FrameWriter(lastSync))
                            .add(new Frame.Put(key, present.location()));
                }
            }
            case IndexEntry.Removed removed -> hostWriter.add(new Frame.Remove(key, removed.before()));
            case IndexEntry.Evicted _ -> {
                // Told as a whole, by the frame of its segment.
            }
        }
    }

    private void writeIndex(Frozen frozen, List<Segment> evicted, Map<Segment, Long> lengths) {
        try (BlockIndex.Batch batch = core.index.newBatch()) {
            core.overlay.forEachFrozen((key, entry) -> {
                if (entry instanceof IndexEntry.Present present) {
                    batch.put(key, present.location());
                } else {
                    batch.delete(key);
                }
            });
            lengths.forEach((segment, length) -> batch.logApplied(segment.id(), length));
            evicted.forEach(segment -> batch.deleteSegment(segment.id()));
            frozen.usage.forEach(batch::usage);
            writeState(batch, core.topicId(), core.partitions(), frozen.offsets);
            batch.lastSync(lastSync);
            // An evicted segment's files go next: the index must not be able to remember it.
            batch.write(!evicted.isEmpty());
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
