package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.InvalidInputException;
import io.kvern.model.Slot;
import io.kvern.model.WriteMode;
import io.kvern.store.index.BlockIndex;
import io.kvern.store.index.IndexEntry;
import io.kvern.store.index.Overlay;
import io.kvern.store.segment.BlockLocation;
import io.kvern.store.segment.Segment;
import io.kvern.store.segment.SegmentDirectory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state that writers, readers and maintenance share, and the rule by which it changes: entries, usage and offsets change
 * under the {@link #gate}'s read lock (a key has one writer, that of its partition); whatever needs all of them to stand
 * still, or changes keys of any partition, takes the write lock.
 *
 * <p>Order of locks: gate, then a partition's {@link Partials}, then {@link Space}. Nobody waits for room or for a sync point
 * while holding the first two.
 */
final class StoreCore {
    final StoreConfig config;
    final SegmentDirectory segments;
    final BlockIndex index;
    final Space space;
    final LongSupplier nanoClock;
    final Overlay overlay = new Overlay();
    final UsageTable usage = new UsageTable();
    final StoreCounters counters = new StoreCounters();
    final Verified verified;
    final ResumeOffsets offsets;
    final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();

    /** Space reserved by the partials of all partitions, and how many were ever begun. */
    final AtomicLong partialBytes = new AtomicLong();

    final AtomicLong partialsBegun = new AtomicLong();

    /** Payload applied since the last sync point began. */
    final AtomicLong unsyncedBytes = new AtomicLong();

    private final Map<Integer, StorePartition> attached = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable StorePartition> bySlot = new AtomicReferenceArray<>(Slot.COUNT);
    private final AtomicLong generation = new AtomicLong();
    private boolean closed;

    /**
     * The log that the store follows.
     *
     * @param id of its topic
     * @param partitions how many it has
     */
    record Topic(UUID id, int partitions) {}

    private @Nullable Topic topic;

    StoreCore(
            StoreConfig config,
            SegmentDirectory segments,
            BlockIndex index,
            Space space,
            Verified verified,
            LongSupplier nanoClock) {
        this.config = config;
        this.segments = segments;
        this.index = index;
        this.space = space;
        this.verified = verified;
        this.nanoClock = nanoClock;
        BlockIndex.Meta meta = index.meta();
        usage.reset(meta.usage());
        offsets = new ResumeOffsets(meta.offsets());
        UUID id = meta.topicId();
        topic = id == null ? null : new Topic(id, meta.partitions());
    }

    // ---- where a block is

    /** Where the block lies, whether or not its partition is attached; null where there is none. */
    @Nullable
    BlockLocation locate(BlockKey key) {
        BlockLocation seen = entry(key);
        if (seen == null || segments.get(seen.segment()) != null) {
            return seen;
        }
        // Eviction may have moved it between the look at the entry and the look at its segment: once more.
        return standing(entry(key));
    }

    /** What the entries say, even of a segment that is gone. */
    private @Nullable BlockLocation entry(BlockKey key) {
        return switch (overlay.get(key)) {
            case null -> index.get(key);
            case IndexEntry.Present present -> present.location();
            case IndexEntry.Removed _, IndexEntry.Evicted _ -> null;
        };
    }

    /** As {@link #locate}, where the key's partition is attached. */
    @Nullable
    BlockLocation locateAttached(BlockKey key) {
        return bySlot.get(key.slot()) == null ? null : locate(key);
    }

    /** As {@link #locateAttached} for each key, with one question to the index. */
    List<@Nullable BlockLocation> locateAllAttached(List<BlockKey> keys) {
        List<@Nullable BlockLocation> found = new ArrayList<>(keys.size());
        List<BlockKey> unknown = new ArrayList<>(keys.size());
        List<Integer> places = new ArrayList<>(keys.size());
        for (BlockKey key : keys) {
            BlockLocation known = null;
            if (bySlot.get(key.slot()) != null) {
                switch (overlay.get(key)) {
                    case null -> {
                        unknown.add(key);
                        places.add(found.size());
                    }
                    case IndexEntry.Present present -> known = standing(key, present.location());
                    case IndexEntry.Removed _, IndexEntry.Evicted _ -> {}
                }
            }
            found.add(known);
        }
        if (!unknown.isEmpty()) {
            List<@Nullable BlockLocation> persisted = index.getAll(unknown);
            for (int i = 0; i < persisted.size(); i++) {
                BlockLocation location = persisted.get(i);
                found.set(places.get(i), location == null ? null : standing(unknown.get(i), location));
            }
        }
        return found;
    }

    private @Nullable BlockLocation standing(BlockKey key, BlockLocation seen) {
        BlockLocation location = standing(seen);
        return location != null ? location : locate(key);
    }

    /** Null also where the location's segment is gone. */
    private @Nullable BlockLocation standing(@Nullable BlockLocation location) {
        return location == null || segments.get(location.segment()) == null ? null : location;
    }

    /** Changes a key. Under the gate, either side, by the key's only writer. */
    void change(BlockKey key, IndexEntry entry) {
        BlockLocation before = entry(key);
        if (before != null) {
            usage.add(key.fingerprint(), -1, -before.length());
        }
        if (entry instanceof IndexEntry.Present present) {
            usage.add(key.fingerprint(), 1, present.location().length());
            Segment segment = segments.get(present.location().segment());
            if (segment != null) {
                segment.entryAdded();
            }
        }
        if (overlay.put(key, entry) instanceof IndexEntry.Present replaced) {
            settleEntry(replaced);
        }
    }

    void settleEntry(IndexEntry.Present entry) {
        Segment segment = segments.get(entry.location().segment());
        if (segment != null) {
            segment.entriesSettled(1);
        }
    }

    /** Takes a damaged block away, if it is still the one that was read. */
    boolean drop(BlockKey key, BlockLocation damaged) {
        gate.writeLock().lock();
        try {
            BlockLocation now = locate(key);
            if (now == null || !now.samePlace(damaged)) {
                return false;
            }
            change(key, new IndexEntry.Removed(damaged.logOffset() + 1));
            return true;
        } finally {
            gate.writeLock().unlock();
        }
    }

    /**
     * A {@code SET} of this key was refused: what stood before it is stale, as far as anybody can know here. Before the
     * refusal is visible, since no offset may pass it while the old value stands. Outside of the gate.
     *
     * @param offset place of the refused block in log order
     */
    void dropStale(BlockKey key, long offset) {
        gate.writeLock().lock();
        try {
            BlockLocation standing = locate(key);
            if (standing != null && standing.logOffset() < offset) {
                change(key, new IndexEntry.Removed(offset));
            }
        } finally {
            gate.writeLock().unlock();
        }
    }

    /**
     * Takes the {@code SET} blocks of a partition away: a part of the log that may have changed them cannot be read any more.
     * Under the gate's write lock.
     *
     * @return how many there were
     */
    int dropSettable(PartitionRef ref) {
        Set<BlockKey> candidates = new HashSet<>();
        index.forEach(ref.firstSlot(), ref.lastSlot(), (key, location) -> {
            if (location.mode() == WriteMode.SET) {
                candidates.add(key);
            }
        });
        overlay.forEach((key, entry) -> {
            if (ref.firstSlot() <= key.slot() && key.slot() <= ref.lastSlot()) {
                candidates.add(key);
            }
        });
        int dropped = 0;
        for (BlockKey key : candidates) {
            BlockLocation standing = locate(key);
            if (standing != null && standing.mode() == WriteMode.SET) {
                change(key, new IndexEntry.Removed(standing.logOffset() + 1));
                dropped++;
            }
        }
        return dropped;
    }

    // ---- partitions

    /** Grows by one with each failure: handles of an earlier generation take no more records. */
    long generation() {
        return generation.get();
    }

    @Nullable
    Topic topic() {
        return topic;
    }

    void attach(StorePartition partition, PartitionRef ref) {
        gate.writeLock().lock();
        try {
            if (closed) {
                throw new StoreFailedException("the store is closed");
            }
            Topic wanted = new Topic(ref.topicId(), ref.partitions());
            Topic pinned = topic;
            if (pinned != null && !pinned.equals(wanted)) {
                throw new InvalidInputException(
                        "the store in %s holds blocks of topic id %s with %d partitions; it cannot follow topic id %s with %d (setting data.dir)"
                                .formatted(
                                        config.dataDir(), pinned.id, pinned.partitions, wanted.id, wanted.partitions));
            }
            if (attached.containsKey(ref.partition())) {
                throw new IllegalStateException("partition " + ref.partition() + " is attached already");
            }
            long resume = offsets.begin(ref.partition());
            if (resume == PartitionHandle.NONE) {
                dropSettable(ref);
            }
            topic = wanted;
            partition.begin(resume, generation.get());
            attached.put(ref.partition(), partition);
            for (int slot = ref.firstSlot(); slot <= ref.lastSlot(); slot++) {
                bySlot.set(slot, partition);
            }
        } finally {
            gate.writeLock().unlock();
        }
    }

    /** Under the gate's write lock. */
    void detach(StorePartition partition, PartitionRef ref, long resume) {
        if (!attached.remove(ref.partition(), partition)) {
            return;
        }
        for (int slot = ref.firstSlot(); slot <= ref.lastSlot(); slot++) {
            bySlot.set(slot, null);
        }
        if (partition.generationAtAttach() == generation.get()) {
            offsets.leave(ref.partition(), resume);
        }
    }

    List<StorePartition> attached() {
        return new ArrayList<>(attached.values());
    }

    /** From here on nothing can be attached. */
    void refuseNew() {
        gate.writeLock().lock();
        try {
            closed = true;
        } finally {
            gate.writeLock().unlock();
        }
    }

    /** What a sync point may write as resume offsets. Under the gate's write lock. */
    Map<Integer, Long> takeOffsets() {
        Map<Integer, Long> now = new HashMap<>();
        for (StorePartition partition : attached.values()) {
            if (partition.generationAtAttach() == generation.get()) {
                now.put(partition.partition(), partition.resumeNow());
            }
        }
        return offsets.take(now);
    }

    /** The partition that has the oldest partial of all; null where there is none. */
    @Nullable
    StorePartition withOldestPartial() {
        StorePartition found = null;
        long oldest = Long.MAX_VALUE;
        for (StorePartition partition : attached.values()) {
            Partial candidate = partition.partials().oldest();
            if (candidate != null && candidate.sequence() < oldest) {
                oldest = candidate.sequence();
                found = partition;
            }
        }
        return found;
    }

    /**
     * Nothing that is not persisted can be trusted any more: it is withdrawn, its segments are sealed, and every handle
     * fails until it is attached again, so that the records come again from the persisted offsets.
     */
    void withdraw() {
        gate.writeLock().lock();
        try {
            generation.incrementAndGet();
            space.sealActive();
            attached.values().forEach(partition -> partition.partials().endAll());
            overlay.forEach((key, entry) -> {
                if (entry instanceof IndexEntry.Present present) {
                    settleEntry(present);
                }
            });
            overlay.clear();
            for (Segment segment : segments.all()) {
                segment.seal();
                segment.clearDirty();
            }
            unsyncedBytes.set(0);
            // Last, since an engine that has failed may not answer.
            BlockIndex.Meta meta = index.meta();
            usage.reset(meta.usage());
            offsets.reset(meta.offsets());
        } finally {
            gate.writeLock().unlock();
        }
    }
}
