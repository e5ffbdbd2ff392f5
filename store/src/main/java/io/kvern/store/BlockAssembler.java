package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.InvalidInputException;
import io.kvern.model.WriteMode;
import io.kvern.store.index.IndexEntry;
import io.kvern.store.segment.BlockLocation;
import io.kvern.store.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the chunks of one partition together: decides what a publication is worth, finds room, writes in place, and makes the
 * block visible with its last chunk. The partition's thread; partials may be ended by others at any time.
 */
final class BlockAssembler {
    private static final Logger LOG = LoggerFactory.getLogger(BlockAssembler.class);
    private static final Seldom REFUSALS = new Seldom();

    private final StoreCore core;
    private final BlockReads reads;
    private final Runnable diskRefused;
    private final Partials partials;

    /** @param diskRefused a write failed: the disk's state is to be looked at */
    BlockAssembler(StoreCore core, BlockReads reads, Runnable diskRefused) {
        this.core = core;
        this.reads = reads;
        this.diskRefused = diskRefused;
        this.partials = new Partials(core.partialBytes);
    }

    Partials partials() {
        return partials;
    }

    /** What {@link #place} did with a chunk. */
    sealed interface Placed {
        /** Nothing was written, or nothing that counts. */
        record Decided(ApplyResult result) implements Placed {}

        /** The payload stands in its place; {@link #complete} is next, under the gate. */
        record Written(Partial partial) implements Placed {}
    }

    /**
     * Writes the payload where it belongs, unless it is decided that it is not needed. Outside of the gate: it may wait for
     * room.
     *
     * @throws InvalidInputException if the chunk contradicts the others of its publication
     */
    Placed place(Partial.Id id, ChunkHeader chunk, ByteBuffer payload, long logOffset, long logTimestampMillis) {
        core.counters.expiredPartials.add(partials.expire(logTimestampMillis));
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
                return new Placed.Decided(before);
            }
            partial = begin(id, chunk, logOffset, logTimestampMillis);
            if (partial == null) {
                return new Placed.Decided(ApplyResult.REFUSED);
            }
        }
        partial.requireSameBlock(chunk);
        synchronized (partials) {
            if (partial.has(chunk)) {
                return new Placed.Decided(ApplyResult.DUPLICATE);
            }
        }
        return write(partial, chunk, payload, logOffset, logTimestampMillis);
    }

    /** A chunk of this publication was wrong: nothing of it is kept. */
    void abandon(Partial.Id id) {
        Partial wrong = partials.get(id);
        if (wrong != null) {
            partials.end(wrong, ApplyResult.ORPHAN);
        }
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
        boolean same = standing.length() == chunk.totalLength() && standing.crc() == chunk.blockCrc();
        if (chunk.mode() == WriteMode.SET) {
            if (standing.logOffset() > firstOffset) {
                return ApplyResult.SUPERSEDED;
            }
            if (standing.logOffset() < firstOffset || !same) {
                return null;
            }
        } else if (!same) {
            return ApplyResult.CONFLICT;
        }
        if (!core.verified.contains(standing) && !(mayRead && reads.verify(key, false))) {
            return null;
        }
        if (standing.logOffset() < firstOffset) {
            // Somebody computed it again: it is wanted, though it was not found or not asked for.
            noteHit(standing);
        }
        return ApplyResult.DUPLICATE;
    }

    private void noteHit(BlockLocation standing) {
        Segment segment = core.segments.get(standing.segment());
        if (segment != null) {
            segment.noteHit(standing.place());
        }
    }

    private @Nullable Partial begin(Partial.Id id, ChunkHeader chunk, long logOffset, long logTimestampMillis) {
        if (chunk.totalLength() > core.config.maxBlockBytes()) {
            return refused(
                    id,
                    chunk,
                    logOffset,
                    "it has %d bytes; at most %d are allowed (block.max.bytes)"
                            .formatted(chunk.totalLength(), core.config.maxBlockBytes()));
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
            if (!partials.begin(partial)) {
                partial.reservation().settle();
                throw new StoreFailedException("the partition was detached from the store meanwhile");
            }
            return partial;
        } catch (NoSpaceException e) {
            return refused(id, chunk, logOffset, String.valueOf(e.getMessage()));
        }
    }

    private @Nullable Partial refused(Partial.Id id, ChunkHeader chunk, long logOffset, String why) {
        if (chunk.mode() == WriteMode.SET) {
            core.dropStale(id.key(), logOffset);
        }
        partials.decide(id, ApplyResult.ORPHAN);
        if (REFUSALS.now()) {
            LOG.warn("Block {} is refused, and counted as others that are not told: {}", id.key(), why);
        }
        return null;
    }

    /** Open partials hold a sixteenth of the capacity at most; the oldest goes first. One alone may be larger. */
    private void makeRoomAmongPartials(int length) {
        while (core.partialBytes.get() + length > core.space.capacity() / 16) {
            StorePartition owner = core.withOldestPartial();
            Partial oldest = owner == null ? null : owner.partials().oldest();
            if (owner == null || oldest == null) {
                return;
            }
            dropWhatItReplaces(oldest);
            if (owner.partials().end(oldest, ApplyResult.ORPHAN)) {
                core.counters.refused.increment();
                if (REFUSALS.now()) {
                    LOG.warn(
                            "Block {} is refused, and counted as others that are not told: newer incomplete blocks"
                                    + " need its room",
                            oldest.id().key());
                }
            }
        }
    }

    private void dropWhatItReplaces(Partial refused) {
        if (refused.mode() == WriteMode.SET) {
            core.dropStale(refused.id().key(), refused.firstOffset());
        }
    }

    /** Where the disk refuses, a block that has only begun is tried in another segment. */
    private Placed write(
            Partial partial, ChunkHeader chunk, ByteBuffer payload, long logOffset, long logTimestampMillis) {
        Placed placed = write(partial, chunk, payload);
        if (placed instanceof Placed.Decided(ApplyResult result)
                && result == ApplyResult.REFUSED
                && partial.firstOffset() == logOffset) {
            Partial again = begin(partial.id(), chunk, logOffset, logTimestampMillis);
            return again == null ? placed : write(again, chunk, payload);
        }
        return placed;
    }

    private Placed write(Partial partial, ChunkHeader chunk, ByteBuffer payload) {
        Segment segment = partial.reservation().segment();
        // A lease of its own: who ends the partial meanwhile ends the reservation's.
        if (!segment.tryLease()) {
            return new Placed.Decided(ApplyResult.ORPHAN);
        }
        try {
            partial.reservation().write(payload.duplicate(), chunk.offset());
            return new Placed.Written(partial);
        } catch (IOException e) {
            core.counters.writeErrors.increment();
            LOG.warn("Writing block {} failed: {}", partial.id().key(), e.toString());
            segment.seal();
            dropWhatItReplaces(partial);
            partials.end(partial, ApplyResult.ORPHAN);
            diskRefused.run();
            return new Placed.Decided(ApplyResult.REFUSED);
        } finally {
            segment.release();
        }
    }

    /**
     * The chunk is written. Under the gate.
     *
     * @throws InvalidInputException if the block is complete and is not what was announced
     */
    ApplyResult complete(Partial partial, ChunkHeader chunk) {
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
}
