package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.Crc32c;
import io.kvern.store.segment.BlockLocation;
import io.kvern.store.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reading side: one positional read into the caller's buffer, verified there. */
final class BlockReads implements BlockReader {
    private static final Logger LOG = LoggerFactory.getLogger(BlockReads.class);
    private static final int SCRATCH = 256 << 10;

    private final StoreCore core;
    private final ThreadLocal<ByteBuffer> scratch = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(SCRATCH));

    BlockReads(StoreCore core) {
        this.core = core;
    }

    /** A block with its segment held. */
    private record Held(BlockLocation location, Segment segment) {}

    /** Looks the block up and holds its segment; once more, where the segment went in between. */
    private @Nullable Held hold(BlockKey key, boolean attachedOnly) {
        for (int attempt = 0; attempt < 2; attempt++) {
            BlockLocation location = attachedOnly ? core.locateAttached(key) : core.locate(key);
            if (location == null) {
                return null;
            }
            Segment segment = core.segments.get(location.segment());
            if (segment != null && segment.tryLease()) {
                return new Held(location, segment);
            }
        }
        return null;
    }

    private static BlockInfo info(BlockLocation at) {
        return new BlockInfo(at.length(), at.crc(), at.mode(), at.epoch(), at.logOffset(), at.components());
    }

    @Override
    public @Nullable BlockInfo find(BlockKey key) {
        BlockLocation location = core.locateAttached(key);
        return location == null ? null : info(location);
    }

    @Override
    public List<@Nullable BlockInfo> findAll(List<BlockKey> keys) {
        List<@Nullable BlockInfo> found = new ArrayList<>(keys.size());
        for (BlockLocation location : core.locateAllAttached(keys)) {
            found.add(location == null ? null : info(location));
        }
        return found;
    }

    @Override
    public ReadResult readInto(BlockKey key, ByteBuffer destination) {
        Held held = hold(key, true);
        if (held == null) {
            core.counters.misses.increment();
            return new ReadResult.Absent();
        }
        BlockLocation at = held.location;
        try {
            if (destination.remaining() < at.length()) {
                return new ReadResult.DestinationTooSmall(info(at), destination.remaining());
            }
            ByteBuffer target = destination.slice(destination.position(), at.length());
            if (held.segment.read(target, at.place()) && Crc32c.of(target.flip()) == at.crc()) {
                destination.position(destination.position() + at.length());
                core.counters.reads.increment();
                core.counters.readBytes.add(at.length());
                core.verified.add(at);
                held.segment.noteHit(at.place());
                return new ReadResult.Loaded(info(at));
            }
        } catch (IOException e) {
            core.counters.readErrors.increment();
            LOG.warn("Reading block {} failed: {}", key, e.toString());
            return new ReadResult.Failed(info(at), e.toString());
        } finally {
            held.segment.release();
        }
        damaged(key, at);
        return new ReadResult.Corrupt(info(at));
    }

    private void damaged(BlockKey key, BlockLocation at) {
        core.counters.corrupt.increment();
        if (core.drop(key, at)) {
            LOG.warn("Block {} was damaged in segment {} at {}; dropped", key, at.segment(), at.place());
        }
    }

    @Override
    public @Nullable BlockLease open(BlockKey key) {
        Held held = hold(key, true);
        if (held == null) {
            core.counters.misses.increment();
            return null;
        }
        held.segment.noteHit(held.location.place());
        return new Lease(held);
    }

    @Override
    public boolean verify(BlockKey key) {
        return verify(key, true);
    }

    /** Also for a partition that is only being fed. */
    boolean verify(BlockKey key, boolean attachedOnly) {
        Held held = hold(key, attachedOnly);
        if (held == null) {
            return false;
        }
        BlockLocation at = held.location;
        try {
            if (intact(held)) {
                core.verified.add(at);
                return true;
            }
        } catch (IOException e) {
            core.counters.readErrors.increment();
            LOG.warn("Verifying block {} failed: {}", key, e.toString());
            return false;
        } finally {
            held.segment.release();
        }
        damaged(key, at);
        return false;
    }

    private boolean intact(Held held) throws IOException {
        BlockLocation at = held.location;
        CRC32C crc = new CRC32C();
        ByteBuffer piece = scratch.get();
        for (int offset = 0; offset < at.length(); offset += piece.limit()) {
            piece.clear().limit(Math.min(piece.capacity(), at.length() - offset));
            if (!held.segment.read(piece, at.place() + offset)) {
                return false;
            }
            crc.update(piece.flip());
        }
        return (int) crc.getValue() == at.crc();
    }

    private final class Lease implements BlockLease {
        private final Held held;
        private boolean closed;

        Lease(Held held) {
            this.held = held;
        }

        @Override
        public BlockInfo info() {
            return BlockReads.info(held.location);
        }

        @Override
        public void read(int offset, ByteBuffer destination) throws IOException {
            if (closed) {
                throw new IllegalStateException("the lease is closed");
            }
            if (offset < 0 || destination.remaining() > held.location.length() - offset) {
                throw new IndexOutOfBoundsException("%d bytes at offset %d are not within a block of %d bytes"
                        .formatted(destination.remaining(), offset, held.location.length()));
            }
            int bytes = destination.remaining();
            if (!held.segment.read(destination, held.location.place() + offset)) {
                throw new IOException("segment %d ends within the block".formatted(held.location.segment()));
            }
            core.counters.readBytes.add(bytes);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                core.counters.reads.increment();
                held.segment.release();
            }
        }
    }
}
