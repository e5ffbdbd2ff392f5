package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Component;
import io.kvern.model.Crc32c;
import io.kvern.model.InvalidInputException;
import io.kvern.model.PublishId;
import io.kvern.model.WriteMode;
import io.kvern.store.segment.BlockLocation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A block of which not every chunk has come. Guarded by its partition's table of partials. */
final class Partial {
    /** Names a publication of a block. */
    record Id(BlockKey key, PublishId publishId) {}

    private record Piece(int length, int crc) {}

    private final Id id;
    private final ChunkHeader first;
    private final Reservation reservation;
    private final long firstOffset;
    private final long firstTimestamp;
    private final long sequence;
    private final TreeMap<Integer, Piece> pieces = new TreeMap<>();
    private List<Component> components = List.of();
    private int received;
    private long touchedNanos;

    /**
     * @param first header of the chunk that came first
     * @param firstOffset the block's place in log order
     * @param sequence order of beginning over all partitions
     */
    Partial(
            Id id,
            ChunkHeader first,
            Reservation reservation,
            long firstOffset,
            long firstTimestamp,
            long sequence,
            long nowNanos) {
        this.id = id;
        this.first = first;
        this.reservation = reservation;
        this.firstOffset = firstOffset;
        this.firstTimestamp = firstTimestamp;
        this.sequence = sequence;
        this.touchedNanos = nowNanos;
    }

    Id id() {
        return id;
    }

    Reservation reservation() {
        return reservation;
    }

    long firstOffset() {
        return firstOffset;
    }

    long firstTimestamp() {
        return firstTimestamp;
    }

    long sequence() {
        return sequence;
    }

    long touchedNanos() {
        return touchedNanos;
    }

    /** Whether its first chunk is all of it. */
    boolean whole() {
        return first.whole();
    }

    WriteMode mode() {
        return first.mode();
    }

    int length() {
        return first.totalLength();
    }

    /** @throws InvalidInputException if the chunk says of the block what its others do not */
    void requireSameBlock(ChunkHeader chunk) {
        if (chunk.totalLength() != first.totalLength()
                || chunk.blockCrc() != first.blockCrc()
                || chunk.mode() != first.mode()
                || chunk.epoch() != first.epoch()) {
            throw new InvalidInputException(
                    "chunk of block %s contradicts its publication: length %d, CRC %08x; before: length %d, CRC %08x"
                            .formatted(
                                    id.key(),
                                    chunk.totalLength(),
                                    chunk.blockCrc(),
                                    first.totalLength(),
                                    first.blockCrc()));
        }
    }

    /**
     * @return whether these very bytes are there already
     * @throws InvalidInputException if they overlap others
     */
    boolean has(ChunkHeader chunk) {
        Map.Entry<Integer, Piece> before = pieces.floorEntry(chunk.offset());
        if (before != null && before.getKey() == chunk.offset()) {
            Piece same = before.getValue();
            if (same.length == chunk.length() && same.crc == chunk.chunkCrc()) {
                return true;
            }
        }
        Map.Entry<Integer, Piece> after = pieces.ceilingEntry(chunk.offset());
        if ((before != null && before.getKey() + before.getValue().length > chunk.offset())
                || (after != null && chunk.offset() + chunk.length() > after.getKey())) {
            throw new InvalidInputException("chunk of %d bytes at offset %d of block %s overlaps another"
                    .formatted(chunk.length(), chunk.offset(), id.key()));
        }
        return false;
    }

    /** Its bytes are written. */
    void add(ChunkHeader chunk, long nowNanos) {
        pieces.put(chunk.offset(), new Piece(chunk.length(), chunk.chunkCrc()));
        received += chunk.length();
        touchedNanos = nowNanos;
        if (chunk.offset() == 0) {
            components = chunk.components();
        }
    }

    boolean complete() {
        return received == first.totalLength();
    }

    /** @throws InvalidInputException if the chunks together are not the block that was announced */
    BlockLocation location() {
        int crc = 0;
        for (Piece piece : pieces.values()) {
            crc = Crc32c.combine(crc, piece.crc, piece.length);
        }
        if (crc != first.blockCrc()) {
            throw new InvalidInputException("block %s of %d bytes has CRC %08x; its chunks announced %08x"
                    .formatted(id.key(), first.totalLength(), crc, first.blockCrc()));
        }
        return new BlockLocation(
                reservation.segment().id(),
                reservation.place(),
                first.totalLength(),
                crc,
                first.mode(),
                first.epoch(),
                firstOffset,
                components);
    }
}
