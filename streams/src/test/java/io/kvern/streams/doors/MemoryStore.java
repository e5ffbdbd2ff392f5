package io.kvern.streams.doors;

import io.kvern.model.BlockKey;
import io.kvern.model.Crc32c;
import io.kvern.model.Fingerprint;
import io.kvern.model.WriteMode;
import io.kvern.store.BlockInfo;
import io.kvern.store.BlockLease;
import io.kvern.store.BlockStore;
import io.kvern.store.PartitionHandle;
import io.kvern.store.PartitionRef;
import io.kvern.store.ReadResult;
import io.kvern.store.StoreStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The reading contract of a {@link BlockStore} over a map, with faults at the push of a button. */
final class MemoryStore implements BlockStore {
    private static final class Block {
        final BlockInfo info;
        final byte[] bytes;

        Block(BlockInfo info, byte[] bytes) {
            this.info = info;
            this.bytes = bytes;
        }
    }

    private final Map<BlockKey, Block> blocks = new ConcurrentHashMap<>();
    /** Whose disk answers with an error. */
    final Set<BlockKey> failing = ConcurrentHashMap.newKeySet();
    /** Leases fail at offsets from here on. */
    volatile int leasesFailFrom = Integer.MAX_VALUE;
    /** Runs before each {@link #readInto}. */
    volatile Runnable beforeRead = () -> {};

    final AtomicInteger openLeases = new AtomicInteger();

    void put(BlockKey key, WriteMode mode, long offset, byte[] bytes) {
        BlockInfo info = new BlockInfo(bytes.length, Crc32c.of(ByteBuffer.wrap(bytes)), mode, 0, offset, List.of());
        blocks.merge(key, new Block(info, bytes), (old, fresh) -> mode == WriteMode.IF_ABSENT ? old : fresh);
    }

    void remove(BlockKey key) {
        blocks.remove(key);
    }

    /** Changes a byte behind the store's back. */
    void damage(BlockKey key) {
        blocks.computeIfPresent(key, (_, block) -> {
            byte[] bytes = block.bytes.clone();
            bytes[bytes.length / 2] ^= 1;
            return new Block(block.info, bytes);
        });
    }

    @Override
    public @Nullable BlockInfo find(BlockKey key) {
        Block block = blocks.get(key);
        return block == null ? null : block.info;
    }

    @Override
    public List<@Nullable BlockInfo> findAll(List<BlockKey> keys) {
        List<@Nullable BlockInfo> found = new ArrayList<>();
        keys.forEach(key -> found.add(find(key)));
        return found;
    }

    @Override
    public ReadResult readInto(BlockKey key, ByteBuffer destination) {
        beforeRead.run();
        Block block = blocks.get(key);
        if (block == null) {
            return new ReadResult.Absent();
        }
        if (destination.remaining() < block.bytes.length) {
            return new ReadResult.DestinationTooSmall(block.info, destination.remaining());
        }
        if (failing.contains(key)) {
            return new ReadResult.Failed(block.info, "no such sector");
        }
        if (!verify(key)) {
            return new ReadResult.Corrupt(block.info);
        }
        destination.put(block.bytes);
        return new ReadResult.Loaded(block.info);
    }

    @Override
    public @Nullable BlockLease open(BlockKey key) {
        Block block = blocks.get(key);
        if (block == null) {
            return null;
        }
        openLeases.incrementAndGet();
        return new BlockLease() {
            @Override
            public BlockInfo info() {
                return block.info;
            }

            @Override
            public void read(int offset, ByteBuffer destination) throws IOException {
                if (offset >= leasesFailFrom) {
                    throw new IOException("no such sector");
                }
                destination.put(block.bytes, offset, destination.remaining());
            }

            @Override
            public void close() {
                openLeases.decrementAndGet();
            }
        };
    }

    @Override
    public boolean verify(BlockKey key) {
        Block block = blocks.get(key);
        if (block != null && Crc32c.of(ByteBuffer.wrap(block.bytes)) != block.info.crc()) {
            blocks.remove(key, block);
            return false;
        }
        return block != null;
    }

    @Override
    public Usage usage(Fingerprint namespace) {
        long count = 0;
        long bytes = 0;
        for (Map.Entry<BlockKey, Block> entry : blocks.entrySet()) {
            if (entry.getKey().fingerprint().equals(namespace)) {
                count++;
                bytes += entry.getValue().bytes.length;
            }
        }
        return new Usage(count, bytes);
    }

    @Override
    public StoreStats stats() {
        return new StoreStats(
                blocks.size(), 0, 0, 77_000_000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    @Override
    public PartitionHandle attach(PartitionRef partition) {
        throw new UnsupportedOperationException("a door attaches no partitions");
    }

    @Override
    public void sync(Duration deadline) {}

    @Override
    public void close() {}
}
