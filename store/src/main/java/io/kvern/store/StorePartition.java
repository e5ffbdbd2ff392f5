package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Crc32c;
import io.kvern.model.InvalidInputException;
import io.kvern.store.index.IndexEntry;
import io.kvern.store.segment.BlockLocation;
import java.nio.ByteBuffer;
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
    private final Maintenance maintenance;
    private final BlockAssembler assembler;
    private volatile long applied = NONE;
    private volatile boolean closed;
    private volatile long generation;

    StorePartition(StoreCore core, PartitionRef ref, BlockReads reads, Maintenance maintenance) {
        this.core = core;
        this.ref = ref;
        this.maintenance = maintenance;
        this.assembler = new BlockAssembler(core, reads, maintenance::diskRefused);
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
        return assembler.partials();
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
        return core.offsets.durable(ref.partition());
    }

    /** What would be safe to resume from if everything applied were durable. Under the gate's write lock. */
    long resumeNow() {
        Partial oldest = partials().oldest();
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
        Partial.Id id = new Partial.Id(key, chunk.publishId());
        ApplyResult result;
        try {
            requireIntact(key, chunk, payload);
            maintenance.awaitRoomInOverlay();
            result = register(assembler.place(id, chunk, payload, logOffset, logTimestampMillis), chunk, logOffset);
        } catch (InvalidInputException e) {
            assembler.abandon(id);
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

    private ApplyResult register(BlockAssembler.Placed placed, ChunkHeader chunk, long logOffset) {
        core.gate.readLock().lock();
        try {
            requireUsable();
            ApplyResult result = switch (placed) {
                case BlockAssembler.Placed.Decided decided -> decided.result();
                case BlockAssembler.Placed.Written written -> {
                    core.unsyncedBytes.addAndGet(chunk.length());
                    yield assembler.complete(written.partial(), chunk);
                }
            };
            moveTo(logOffset);
            return result;
        } finally {
            core.gate.readLock().unlock();
            maintenance.applied();
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
            partials().cancel(key, logOffset);
            BlockLocation standing = core.locate(key);
            boolean removed = standing != null && standing.logOffset() < logOffset;
            if (removed || standing == null) {
                // Also where nothing stands: a frame of the block may lie in an older segment whose removal was lost
                // with
                // a newer one, and a rebuild must not find it again.
                core.change(key, new IndexEntry.Removed(logOffset));
            }
            if (removed) {
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
        int dropped;
        core.gate.writeLock().lock();
        try {
            requireUsable();
            partials().reset();
            dropped = core.dropSettable(ref);
            core.offsets.forget(ref.partition());
            applied = NONE;
        } finally {
            core.gate.writeLock().unlock();
        }
        LOG.info(
                "Partition {}: offset forgotten, and {} blocks that may have been changed since",
                ref.partition(),
                dropped);
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
            partials().close();
            core.detach(this, ref, resume);
        } finally {
            core.gate.writeLock().unlock();
        }
    }
}
