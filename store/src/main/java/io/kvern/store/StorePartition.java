package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Crc32c;
import io.kvern.model.InvalidInputException;
import io.kvern.model.WriteMode;
import io.kvern.store.index.IndexEntry;
import io.kvern.store.segment.BlockLocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attached partition. Payload is written in place before anything is said of it; then, under the gate, the chunk is
 * registered and the offset moves, so that a sync point sees both or neither.
 */
final class StorePartition implements PartitionHandle {
    private static final Logger LOG = LoggerFactory.getLogger(StorePartition.class);

    private final StoreCore core;
    private final PartitionRef ref;
    private final BlockReads reads;
    private final Maintenance maintenance;
    private final Partials partials;
    private volatile long applied = NONE;
    private volatile boolean closed;
    private long generation;

    StorePartition(StoreCore core, PartitionRef ref, BlockReads reads, Maintenance maintenance) {
        this.core = core;
        this.ref = ref;
        this.reads = reads;
        this.maintenance = maintenance;
        this.partials = new Partials(core.partialBytes);
    }

    /** From here on records apply. Called once, while attaching. */
    void begin(long resume, long currentGeneration) {
        applied = resume;
        generation = currentGeneration;
    }

    long generationAtAttach() {
        return generation;
    }

    Partials partials() {
        return partials;
    }

    @Override
    public int partition() {
        return ref.partition();
    }

    @Override
    public long applied() {
        return applied;
    }

    @Override
    public long resumeOffset() {
        return core.durableOffset(ref.partition());
    }

    /** What would be safe to resume from if everything applied were durable. Under the gate's write lock. */
    long resumeNow() {
        Partial oldest = partials.oldest();
        return oldest == null ? applied : Math.min(applied, oldest.firstOffset() - 1);
    }

    // ---- applying

    @Override
    public ApplyResult apply(
            BlockKey key, ChunkHeader chunk, ByteBuffer payload, long logOffset, long logTimestampMillis) {
        requireUsable();
        if (logOffset <= applied) {
            core.counters.duplicates.increment();
            return ApplyResult.DUPLICATE;
        }
        try {
            requireIntact(key, chunk, payload);
        } catch (InvalidInputException e) {
            skip(logOffset);
            throw e;
        }
        maintenance.awaitRoomInOverlay();
        core.counters.expiredPartials.add(partials.expire(logTimestampMillis));
        Partial.Id id = new Partial.Id(key, chunk.publishId());
        ApplyResult result;
        try {
            result = place(id, chunk, payload, logOffset, logTimestampMillis);
        } catch (InvalidInputException e) {
            Partial wrong = partials.get(id);
            if (wrong != null) {
                partials.end(wrong, ApplyResult.ORPHAN);
            }
            skip(logOffset);
            throw e;
        }
        core.counters.count(result);
        return result;
    }

    private static void requireIntact(BlockKey key, ChunkHeader chunk, ByteBuffer payload) {
        if (payload.remaining() != chunk.length()) {
            throw new InvalidInputException("chunk of block %s announces %d bytes and carries %d"
                    .formatted(key, chunk.length(), payload.remaining()));
        }
        int crc = Crc32c.of(payload);
        if (crc != chunk.chunkCrc()) {
            throw new InvalidInputException("chunk at offset %d of block %s has CRC %08x; it announces %08x"
                    .formatted(chunk.offset(), key, crc, chunk.chunkCrc()));
        }
        if (chunk.whole() && chunk.blockCrc() != crc) {
            throw new InvalidInputException(
                    "block %s has CRC %08x; its chunk announces %08x".formatted(key, crc, chunk.blockCrc()));
        }
    }

    private ApplyResult place(
            Partial.Id id, ChunkHeader chunk, ByteBuffer payload, long logOffset, long logTimestampMillis) {
        Partial partial = partials.get(id);
        if (partial == null) {
            ApplyResult before = partials.decided(id);
            if (before == null) {
                before = alreadyDecided(id.key(), chunk, logOffset, true);
                if (before != null && !chunk.whole()) {
                    partials.decide(id, before);
                }
            }
            if (before != null) {
                advance(logOffset);
                return before;
            }
            partial = begin(id, chunk, logOffset, logTimestampMillis);
            if (partial == null) {
                advance(logOffset);
                return ApplyResult.REFUSED;
            }
        }
        partial.requireSameBlock(chunk);
        boolean there;
        synchronized (partials) {
            there = partial.has(chunk);
        }
        if (there) {
            advance(logOffset);
            return ApplyResult.DUPLICATE;
        }
        Partial written = write(partial, chunk, payload, logOffset, logTimestampMillis);
        if (written == null) {
            advance(logOffset);
            return ApplyResult.REFUSED;
        }
        return register(written, chunk, logOffset);
    }

    /**
     * What stands under the key may decide a publication, best at its first chunk: then nothing of it is written.
     *
     * @param mayRead whether a copy that this process knows nothing of may be read; one that is damaged is dropped
     */
    private @Nullable ApplyResult alreadyDecided(BlockKey key, ChunkHeader chunk, long firstOffset, boolean mayRead) {
        BlockLocation standing = core.locate(key);
        if (standing == null) {
            return null;
        }
        if (chunk.mode() == WriteMode.SET) {
            return standing.logOffset() > firstOffset ? ApplyResult.SUPERSEDED : null;
        }
        if (standing.length() != chunk.totalLength() || standing.crc() != chunk.blockCrc()) {
            return ApplyResult.CONFLICT;
        }
        boolean good = core.verified.contains(standing) || (mayRead && reads.verify(key, false));
        return good ? ApplyResult.DUPLICATE : null;
    }

    private @Nullable Partial begin(Partial.Id id, ChunkHeader chunk, long logOffset, long logTimestampMillis) {
        if (chunk.totalLength() > core.config.maxBlockBytes()) {
            LOG.warn(
                    "Block {} of {} bytes is over the limit of {} (setting block.max.bytes); refused",
                    id.key(),
                    chunk.totalLength(),
                    core.config.maxBlockBytes());
            partials.decide(id, ApplyResult.REFUSED);
            return null;
        }
        if (!chunk.whole()) {
            makeRoomAmongPartials(chunk.totalLength());
        }
        try {
            Partial partial = new Partial(
                    id,
                    chunk,
                    core.space.reserve(chunk.totalLength()),
                    logOffset,
                    logTimestampMillis,
                    core.partialsBegun.incrementAndGet(),
                    core.nanoClock.getAsLong());
            partials.begin(partial);
            return partial;
        } catch (NoSpaceException e) {
            LOG.warn("Block {} is refused: {}", id.key(), e.getMessage());
            partials.decide(id, ApplyResult.REFUSED);
            return null;
        }
    }

    /** Open partials hold a sixteenth of the capacity at most; the oldest goes first. One alone may be larger. */
    private void makeRoomAmongPartials(int length) {
        while (core.partialBytes.get() + length > core.space.capacity() / 16) {
            StorePartition owner = core.withOldestPartial();
            Partial oldest = owner == null ? null : owner.partials.oldest();
            if (owner == null || oldest == null) {
                return;
            }
            if (owner.partials.end(oldest, ApplyResult.REFUSED)) {
                core.counters.refused.increment();
                LOG.warn(
                        "Block {} is refused: newer incomplete blocks need its room",
                        oldest.id().key());
            }
        }
    }

    /** Null where the disk refused, twice where the block has only begun. */
    private @Nullable Partial write(
            Partial partial, ChunkHeader chunk, ByteBuffer payload, long logOffset, long logTimestampMillis) {
        try {
            partial.reservation().write(payload.duplicate(), chunk.offset());
            return partial;
        } catch (IOException e) {
            failedWrite(partial, e);
        }
        if (partial.firstOffset() != logOffset) {
            return null;
        }
        Partial again = begin(partial.id(), chunk, logOffset, logTimestampMillis);
        if (again == null) {
            return null;
        }
        try {
            again.reservation().write(payload.duplicate(), chunk.offset());
            return again;
        } catch (IOException e) {
            failedWrite(again, e);
            return null;
        }
    }

    private void failedWrite(Partial partial, IOException e) {
        core.counters.writeErrors.increment();
        LOG.warn("Writing block {} failed: {}", partial.id().key(), e.toString());
        partial.reservation().segment().seal();
        partials.end(partial, ApplyResult.REFUSED);
        maintenance.diskRefused();
    }

    private ApplyResult register(Partial partial, ChunkHeader chunk, long logOffset) {
        core.gate.readLock().lock();
        try {
            requireUsable();
            ApplyResult result = complete(partial, chunk);
            core.unsyncedBytes.addAndGet(chunk.length());
            moveTo(logOffset);
            return result;
        } finally {
            core.gate.readLock().unlock();
            maintenance.applied();
        }
    }

    private ApplyResult complete(Partial partial, ChunkHeader chunk) {
        synchronized (partials) {
            if (partials.get(partial.id()) != partial) {
                // Refused or expired by another thread while its bytes were written.
                return ApplyResult.ORPHAN;
            }
            partial.reservation().segment().markDirty();
            partial.add(chunk, core.nanoClock.getAsLong());
            if (!partial.complete()) {
                return ApplyResult.PARTIAL;
            }
            BlockLocation location = partial.location();
            ApplyResult standing = alreadyDecided(partial.id().key(), chunk, partial.firstOffset(), false);
            if (standing != null) {
                partials.end(partial, standing);
                return standing;
            }
            core.change(partial.id().key(), new IndexEntry.Present(location));
            partials.end(partial, ApplyResult.DUPLICATE);
            core.counters.stored.increment();
            core.counters.storedBytes.add(location.length());
            return ApplyResult.STORED;
        }
    }

    @Override
    public boolean remove(BlockKey key, long logOffset) {
        requireUsable();
        if (logOffset <= applied) {
            return false;
        }
        maintenance.awaitRoomInOverlay();
        core.gate.readLock().lock();
        try {
            requireUsable();
            partials.cancel(key, logOffset);
            BlockLocation standing = core.locate(key);
            boolean removed = standing != null && standing.logOffset() < logOffset;
            if (removed) {
                core.change(key, new IndexEntry.Removed(logOffset));
                core.counters.removed.increment();
            }
            moveTo(logOffset);
            return removed;
        } finally {
            core.gate.readLock().unlock();
            maintenance.applied();
        }
    }

    @Override
    public void skip(long logOffset) {
        requireUsable();
        advance(logOffset);
    }

    private void advance(long logOffset) {
        core.gate.readLock().lock();
        try {
            moveTo(logOffset);
        } finally {
            core.gate.readLock().unlock();
            maintenance.applied();
        }
    }

    private void moveTo(long logOffset) {
        if (logOffset > applied) {
            applied = logOffset;
        }
    }

    private void requireUsable() {
        if (closed) {
            throw new StoreFailedException("partition " + ref.partition() + " is detached from the store");
        }
        if (generation != core.generation()) {
            throw new StoreFailedException("partition " + ref.partition()
                    + " must be attached again: what it applied was withdrawn after a failure of the disk");
        }
    }

    // ---- ending

    @Override
    public void forget() {
        List<BlockKey> changeable = new ArrayList<>();
        core.gate.writeLock().lock();
        try {
            requireUsable();
            partials.endAll();
            core.index.forEach(ref.firstSlot(), ref.lastSlot(), (key, location) -> {
                if (location.mode() == WriteMode.SET) {
                    changeable.add(key);
                }
            });
            core.overlay.forEach((key, entry) -> {
                if (ref.firstSlot() <= key.slot() && key.slot() <= ref.lastSlot()) {
                    changeable.add(key);
                }
            });
            for (BlockKey key : changeable) {
                BlockLocation standing = core.locate(key);
                if (standing != null && standing.mode() == WriteMode.SET) {
                    core.change(key, new IndexEntry.Removed(standing.logOffset() + 1));
                }
            }
            core.forgetOffset(ref.partition());
            applied = NONE;
        } finally {
            core.gate.writeLock().unlock();
        }
        LOG.info("Partition {}: offset forgotten, {} blocks looked at", ref.partition(), changeable.size());
    }

    @Override
    public void close() {
        core.gate.writeLock().lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            long resume = resumeNow();
            partials.endAll();
            core.detach(this, ref, resume);
        } finally {
            core.gate.writeLock().unlock();
        }
    }
}
