package io.kvern.store;

import io.kvern.model.InvalidInputException;
import io.kvern.store.index.BlockIndex;
import io.kvern.store.index.CachedIndex;
import io.kvern.store.segment.ChannelFiles;
import io.kvern.store.segment.DirectoryLock;
import io.kvern.store.segment.SegmentDirectory;
import io.kvern.store.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens stores. */
public final class BlockStores {
    private static final Logger LOG = LoggerFactory.getLogger(BlockStores.class);

    /** This part of the index's memory is for entries that were asked for lately, on the heap; the rest is the engine's. */
    private static final int HOT_PART = 4;

    private BlockStores() {}

    /**
     * Opens the store of a directory, making it where it is absent and mending what a crash left.
     *
     * @throws InvalidInputException if another store has the directory, or it cannot be used
     */
    public static BlockStore open(StoreConfig config) {
        return open(config, new ChannelFiles(), System::nanoTime);
    }

    static BlockStore open(StoreConfig config, SegmentFiles files, LongSupplier nanoClock) {
        try {
            Files.createDirectories(config.dataDir());
            DirectoryLock lock = DirectoryLock.take(config.dataDir());
            try {
                return open(config, files, nanoClock, lock);
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw new InvalidInputException(
                    "data directory %s cannot be used (setting data.dir): %s".formatted(config.dataDir(), e), e);
        }
    }

    private static BlockStore open(StoreConfig config, SegmentFiles files, LongSupplier nanoClock, DirectoryLock lock)
            throws IOException {
        long began = System.nanoTime();
        SegmentDirectory segments = new SegmentDirectory(config.dataDir().resolve("segments"), files);
        files.forceDirectory(config.dataDir());
        BlockIndex toClose = null;
        long hotBytes = config.indexCacheBytes() / HOT_PART;
        try {
            segments.load();
            IndexRecovery.Opened opened =
                    new IndexRecovery(config.dataDir(), segments, config.indexCacheBytes() - hotBytes).open();
            BlockIndex index = new GuardedIndex(
                    new CachedIndex(opened.index(), hotBytes), IndexRecovery.damagedMark(config.dataDir()));
            toClose = index;
            segments.neverReuse(opened.outcome().highestSegment());
            Wakeup wakeup = new Wakeup();
            long own = segments.bytes() + index.diskBytes();
            long capacity = config.capacityBytes() != 0
                    ? config.capacityBytes()
                    : (long) (config.capacityShare() * (segments.usableBytes() + own));
            if (capacity < StoreConfig.MIN_CAPACITY_BYTES) {
                throw new InvalidInputException(
                        "%d bytes of disk would be the store's (store.capacity.share %s); at least %d are needed"
                                .formatted(capacity, config.capacityShare(), StoreConfig.MIN_CAPACITY_BYTES));
            }
            Space space = new Space(
                    segments, index::diskBytes, capacity, config.minFreeBytes(), config.maxSegmentBytes(), wakeup);
            StoreCore core = new StoreCore(config, segments, index, space, new Verified(segments.nextId()), nanoClock);
            SyncPoint syncPoint = new SyncPoint(core, opened.outcome().lastSync());
            Maintenance maintenance = new Maintenance(core, syncPoint, new Eviction(core, syncPoint));
            wakeup.target = maintenance::wake;
            maintenance.start();
            LOG.info(
                    "Opened the store in {} in {} ms: {} blocks, {} bytes in {} segments; capacity {} bytes",
                    config.dataDir(),
                    (System.nanoTime() - began) / 1_000_000,
                    core.usage.all().blocks(),
                    own,
                    segments.count(),
                    capacity);
            return new LocalBlockStore(core, maintenance, lock);
        } catch (IOException | RuntimeException e) {
            if (toClose != null) {
                toClose.close();
            }
            segments.close();
            throw e;
        }
    }

    /** Space is made before the thread that it wakes. */
    private static final class Wakeup implements Runnable {
        private volatile Runnable target = () -> {};

        @Override
        public void run() {
            target.run();
        }
    }
}
