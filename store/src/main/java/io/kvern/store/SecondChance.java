package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.store.index.IndexEntry;
import io.kvern.store.segment.BlockLocation;
import io.kvern.store.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocks that were wanted since they were written do not go with their segment: they are written again, at the end of the
 * newest one, as far as half of the segment that goes, so that each eviction makes room; and none where there is no space, or
 * the disk does not take it. A block keeps its place in log order. Maintenance thread only.
 */
final class SecondChance {
    private static final Logger LOG = LoggerFactory.getLogger(SecondChance.class);
    private static final int PIECE = 256 << 10;

    private final StoreCore core;
    private final Segment from;
    private final ByteBuffer piece = ByteBuffer.allocate(PIECE);
    private long budget;

    /** @param from the segment that goes; of its payload, half may stay */
    SecondChance(StoreCore core, Segment from) {
        this.core = core;
        this.from = from;
        this.budget = from.tail() / 2;
    }

    private record Copy(BlockLocation before, BlockLocation after, Reservation reservation) {}

    /** Blocks that stand in both places, until {@link #replace} or the end. */
    final class Copies implements AutoCloseable {
        private final Map<BlockKey, Copy> byKey = new HashMap<>();

        /**
         * Lets the copy of a block stand for it. Under the gate's write lock.
         *
         * @return false where there is none, or the block was changed since it was copied
         */
        boolean replace(BlockKey key, BlockLocation standing) {
            Copy copy = byKey.get(key);
            if (copy == null || !copy.before.samePlace(standing)) {
                return false;
            }
            copy.reservation.segment().markDirty();
            core.change(key, new IndexEntry.Present(copy.after));
            core.counters.keptBlocks.increment();
            core.counters.keptBytes.add(copy.after.length());
            return true;
        }

        @Override
        public void close() {
            byKey.values().forEach(copy -> copy.reservation.settle());
        }
    }

    /** Copies those that were wanted; the caller closes the result, after the gate. */
    Copies copy(List<BlockKey> keys) {
        Copies copies = new Copies();
        for (BlockKey key : keys) {
            BlockLocation standing = core.locate(key);
            if (standing != null
                    && standing.segment() == from.id()
                    && standing.length() <= budget
                    && from.hit(standing.place())
                    && !copies.byKey.containsKey(key)) {
                Copy copy = copy(key, standing);
                if (copy != null) {
                    copies.byKey.put(key, copy);
                    budget -= standing.length();
                }
            }
        }
        return copies;
    }

    private @Nullable Copy copy(BlockKey key, BlockLocation at) {
        Reservation reservation = core.space.reserveNow(at.length());
        if (reservation == null) {
            budget = 0;
            return null;
        }
        boolean good = false;
        try {
            good = copyBytes(key, at, reservation);
        } catch (IOException e) {
            // Nothing is tried twice: who asks for it next computes it again.
            core.counters.writeErrors.increment();
            reservation.segment().seal();
            budget = 0;
            LOG.warn("Block {} could not be written again: {}", key, e.toString());
        } finally {
            if (!good) {
                reservation.settle();
            }
        }
        return good ? new Copy(at, at.movedTo(reservation.segment().id(), reservation.place()), reservation) : null;
    }

    /** False where the bytes cannot be read, or are not those of the block. */
    private boolean copyBytes(BlockKey key, BlockLocation at, Reservation reservation) throws IOException {
        CRC32C crc = new CRC32C();
        for (int offset = 0; offset < at.length(); offset += piece.limit()) {
            piece.clear().limit(Math.min(PIECE, at.length() - offset));
            if (!read(key, at.place() + offset)) {
                return false;
            }
            crc.update(piece.flip());
            reservation.write(piece.flip(), offset);
        }
        if ((int) crc.getValue() != at.crc()) {
            core.counters.corrupt.increment();
            LOG.warn("Block {} was damaged in segment {} at {}; it goes", key, at.segment(), at.place());
            return false;
        }
        return true;
    }

    private boolean read(BlockKey key, long place) {
        try {
            return from.read(piece, place);
        } catch (IOException e) {
            core.counters.readErrors.increment();
            LOG.warn("Reading block {} failed; it goes: {}", key, e.toString());
            return false;
        }
    }
}
