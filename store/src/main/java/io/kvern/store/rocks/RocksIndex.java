package io.kvern.store.rocks;

import io.kvern.model.BlockKey;
import io.kvern.model.Fingerprint;
import io.kvern.model.KvernException;
import io.kvern.store.index.BlockIndex;
import io.kvern.store.index.IndexDamagedException;
import io.kvern.store.segment.BlockLocation;
import io.kvern.store.segment.LocationCodec;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Status;

/**
 * The index in RocksDB: block keys to locations, and beside them the store's own state under keys that no block has (a slot's
 * first byte is below 0x40).
 *
 * <pre>
 *  block key                        location (see LocationCodec)
 *  FF 'Q'                           last sync point i64
 *  FF 'T'                           topic id 16 bytes, partitions i32
 *  FF 'R' partition i32             resume offset i64
 *  FF 'S' segment i64               applied length of its log i64, end of the payload it names i64
 *  FF 'U' fingerprint 16 bytes      blocks i64, bytes i64
 * </pre>
 *
 * There is no write-ahead log: the segments' logs are one, and a second would let the engine put later batches on top of
 * earlier ones that it lost. Tables are written in the order of batches, so what is on disk is always the state after some
 * batch, from which the segments' logs go on.
 *
 * <p>A close waits for readers: under them it would be a native crash.
 */
public final class RocksIndex implements BlockIndex {
    static final byte META = (byte) 0xFF;

    private final Path directory;
    private final LRUCache cache;
    private final BloomFilter filter;
    private final Options options;
    private final RocksDB db;
    private final ReentrantReadWriteLock open = new ReentrantReadWriteLock();
    private final ReadOptions readOptions = new ReadOptions();
    private final ThreadLocal<Buffers> buffers = ThreadLocal.withInitial(Buffers::new);
    private boolean closed;

    /** Direct memory, which the engine reads and writes without a copy. */
    private static final class Buffers {
        private final ByteBuffer key = ByteBuffer.allocateDirect(BlockKey.MAX_BYTES);
        private final ByteBuffer value = ByteBuffer.allocateDirect(LocationCodec.MAX_BYTES);
    }

    private RocksIndex(Path directory, LRUCache cache, BloomFilter filter, Options options, RocksDB db) {
        this.directory = directory;
        this.cache = cache;
        this.filter = filter;
        this.options = options;
        this.db = db;
    }

    /**
     * Opens, or makes, an index.
     *
     * @param memoryBytes for cache, filters and write buffers in all
     * @throws IndexDamagedException if it cannot be opened
     */
    public static RocksIndex open(Path directory, long memoryBytes) {
        RocksDB.loadLibrary();
        // Write buffers are charged to the cache; a quarter of the memory is for them.
        LRUCache cache = new LRUCache(memoryBytes);
        BloomFilter filter = new BloomFilter(10);
        Options options = new Options()
                .setCreateIfMissing(true)
                .setParanoidChecks(true)
                .setWriteBufferSize(Math.max(1 << 20, memoryBytes / 8))
                .setMaxWriteBufferNumber(2)
                .setMaxBackgroundJobs(2)
                .setMaxOpenFiles(256)
                .setKeepLogFileNum(3)
                .setMaxLogFileSize(1 << 20)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setFilterPolicy(filter)
                        .setCacheIndexAndFilterBlocks(true)
                        .setPinL0FilterAndIndexBlocksInCache(true)
                        .setFormatVersion(5));
        try {
            return new RocksIndex(directory, cache, filter, options, RocksDB.open(options, directory.toString()));
        } catch (RocksDBException e) {
            options.close();
            filter.close();
            cache.close();
            throw new IndexDamagedException(
                    "the index in %s cannot be opened: %s".formatted(directory, e.getMessage()), e);
        }
    }

    @Override
    public @Nullable BlockLocation get(BlockKey key) {
        Buffers own = buffers.get();
        open.readLock().lock();
        try {
            requireOpen();
            return find(key, own);
        } catch (RocksDBException e) {
            throw failure("read", e);
        } finally {
            open.readLock().unlock();
        }
    }

    /** One by one: the engine's own call for many makes an object of status for each, which takes longer than to look. */
    @Override
    public List<@Nullable BlockLocation> getAll(List<BlockKey> keys) {
        List<@Nullable BlockLocation> found = new ArrayList<>(keys.size());
        Buffers own = buffers.get();
        open.readLock().lock();
        try {
            requireOpen();
            for (BlockKey key : keys) {
                found.add(find(key, own));
            }
            return found;
        } catch (RocksDBException e) {
            throw failure("read", e);
        } finally {
            open.readLock().unlock();
        }
    }

    private @Nullable BlockLocation find(BlockKey key, Buffers own) throws RocksDBException {
        own.key.clear();
        key.writeTo(own.key);
        int length = db.get(readOptions, own.key.flip(), own.value.clear());
        return length == RocksDB.NOT_FOUND ? null : location(own.value);
    }

    @Override
    public void forEach(int firstSlot, int lastSlot, BiConsumer<BlockKey, BlockLocation> action) {
        byte[] first = ByteBuffer.allocate(2).putShort((short) firstSlot).array();
        byte[] beyond = ByteBuffer.allocate(2).putShort((short) (lastSlot + 1)).array();
        open.readLock().lock();
        try (Slice bound = new Slice(beyond);
                ReadOptions bounded = new ReadOptions().setIterateUpperBound(bound);
                RocksIterator iterator = iterator(bounded)) {
            for (iterator.seek(first); iterator.isValid(); iterator.next()) {
                action.accept(key(iterator.key()), location(ByteBuffer.wrap(iterator.value())));
            }
            iterator.status();
        } catch (RocksDBException e) {
            throw failure("read", e);
        } finally {
            open.readLock().unlock();
        }
    }

    private static BlockKey key(byte[] bytes) {
        try {
            return BlockKey.decode(bytes);
        } catch (RuntimeException e) {
            throw new IndexDamagedException(
                    "the index holds a key of %d bytes that is none".formatted(bytes.length), e);
        }
    }

    private static BlockLocation location(ByteBuffer bytes) {
        try {
            return LocationCodec.read(bytes);
        } catch (RuntimeException e) {
            throw new IndexDamagedException(
                    "the index holds a location of %d bytes that is none".formatted(bytes.limit()), e);
        }
    }

    /** Damage asks for another index; an error of the disk does not. */
    static KvernException failure(String what, RocksDBException e) {
        String message = "the index cannot be %s: %s".formatted(what, e.getMessage());
        Status status = e.getStatus();
        return status != null && status.getCode() == Status.Code.Corruption
                ? new IndexDamagedException(message, e)
                : new KvernException(message, e);
    }

    private RocksIterator iterator(ReadOptions bounded) {
        requireOpen();
        return db.newIterator(bounded);
    }

    @Override
    public Meta meta() {
        long lastSync = 0;
        UUID topic = null;
        int partitions = 0;
        Map<Integer, Long> offsets = new HashMap<>();
        Map<Long, SegmentState> segments = new HashMap<>();
        Map<Fingerprint, UsageTotals> usage = new HashMap<>();
        open.readLock().lock();
        try (ReadOptions all = new ReadOptions();
                RocksIterator iterator = iterator(all)) {
            for (iterator.seek(new byte[] {META}); iterator.isValid(); iterator.next()) {
                ByteBuffer key = ByteBuffer.wrap(iterator.key());
                ByteBuffer text = ByteBuffer.wrap(iterator.value());
                switch (key.get(1)) {
                    case 'Q' -> lastSync = text.getLong();
                    case 'T' -> {
                        topic = new UUID(text.getLong(), text.getLong());
                        partitions = text.getInt();
                    }
                    case 'R' -> offsets.put(key.getInt(2), text.getLong());
                    case 'S' -> segments.put(key.getLong(2), new SegmentState(text.getLong(), text.getLong()));
                    case 'U' -> usage.put(Fingerprint.read(key, 2), new UsageTotals(text.getLong(), text.getLong()));
                    default -> {
                        // A later version's; it says so elsewhere where it matters.
                    }
                }
            }
            iterator.status();
            return new Meta(lastSync, topic, partitions, offsets, segments, usage);
        } catch (RocksDBException e) {
            throw failure("read", e);
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new IndexDamagedException("the index's own state is cut short", e);
        } finally {
            open.readLock().unlock();
        }
    }

    @Override
    public Batch newBatch() {
        return new RocksBatch(this);
    }

    void write(RocksBatch batch, boolean durable) {
        open.readLock().lock();
        try {
            requireOpen();
            batch.writeTo(db, durable);
        } catch (RocksDBException e) {
            throw failure("written", e);
        } finally {
            open.readLock().unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new KvernException("the store is closed");
        }
    }

    @Override
    public long diskBytes() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.mapToLong(RocksIndex::size).sum();
        } catch (IOException e) {
            return 0;
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            // Compaction deleted it in the meantime.
            return 0;
        }
    }

    @Override
    public void close() {
        open.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                db.close();
                readOptions.close();
                options.close();
                filter.close();
                cache.close();
            }
        } finally {
            open.writeLock().unlock();
        }
    }
}
