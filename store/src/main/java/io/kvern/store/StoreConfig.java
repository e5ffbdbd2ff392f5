package io.kvern.store;

import io.kvern.model.InvalidInputException;
import io.kvern.model.Limits;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How a store is opened. Sizes in bytes.
 *
 * @param dataDir the store's own directory; made if absent, locked while open ({@code store.data.dir})
 * @param capacityBytes hard cap over everything the store keeps on disk, 0 to take {@code capacityShare} of what the disk
 *     has free plus what the store has there already ({@code store.capacity.bytes})
 * @param capacityShare above 0, at most 1 ({@code store.capacity.share})
 * @param minFreeBytes free space of the disk that the store leaves to others ({@code store.min.free.bytes})
 * @param maxSegmentBytes largest ordinary segment; also at most a sixteenth of the capacity ({@code store.segment.bytes})
 * @param maxBlockBytes larger blocks are refused ({@code block.max.bytes})
 * @param syncBytes a sync point is due after this much payload ({@code store.sync.bytes})
 * @param syncInterval a sync point is due after this time, if anything was applied ({@code store.sync.interval})
 * @param indexCacheBytes memory of the index in all: a quarter for entries on the heap, the rest for RocksDB's block cache,
 *     filters and write buffers ({@code store.index.cache.bytes})
 */
public record StoreConfig(
        Path dataDir,
        long capacityBytes,
        double capacityShare,
        long minFreeBytes,
        long maxSegmentBytes,
        int maxBlockBytes,
        long syncBytes,
        Duration syncInterval,
        long indexCacheBytes) {
    /** Smallest capacity a store works with: 16 MiB. */
    public static final long MIN_CAPACITY_BYTES = 16 << 20;

    public StoreConfig {
        if (capacityBytes != 0 && capacityBytes < MIN_CAPACITY_BYTES) {
            throw new InvalidInputException(
                    "store.capacity.bytes is %d; 0 (a share of the disk) or at least %d is needed"
                            .formatted(capacityBytes, MIN_CAPACITY_BYTES));
        }
        if (!(capacityShare > 0 && capacityShare <= 1)) {
            throw new InvalidInputException(
                    "store.capacity.share is %s; above 0 and at most 1 is needed".formatted(capacityShare));
        }
        if (minFreeBytes < 0) {
            throw new InvalidInputException("store.min.free.bytes is %d; 0 or more is needed".formatted(minFreeBytes));
        }
        if (maxSegmentBytes < 1 << 20 || maxSegmentBytes > 1 << 30) {
            throw new InvalidInputException(
                    "store.segment.bytes is %d; 1 MiB to 1 GiB is allowed".formatted(maxSegmentBytes));
        }
        if (maxBlockBytes < 1 || maxBlockBytes > Limits.MAX_BLOCK_BYTES) {
            throw new InvalidInputException(
                    "block.max.bytes is %d; 1 to %d are allowed".formatted(maxBlockBytes, Limits.MAX_BLOCK_BYTES));
        }
        if (syncBytes < 1 || syncInterval.isNegative() || syncInterval.isZero()) {
            throw new InvalidInputException("store.sync.bytes is %d and store.sync.interval %s; both must be above 0"
                    .formatted(syncBytes, syncInterval));
        }
        if (indexCacheBytes < 1 << 20) {
            throw new InvalidInputException(
                    "store.index.cache.bytes is %d; at least 1 MiB is needed".formatted(indexCacheBytes));
        }
    }

    /** The defaults for a directory: 80 % of the disk, 1 GiB left free, 256 MiB segments, a sync each 256 MiB or second. */
    public static StoreConfig at(Path dataDir) {
        return new StoreConfig(
                dataDir,
                0,
                0.8,
                1L << 30,
                256 << 20,
                Limits.DEFAULT_MAX_BLOCK_BYTES,
                256 << 20,
                Duration.ofSeconds(1),
                64 << 20);
    }

    public StoreConfig withCapacity(long bytes) {
        return new StoreConfig(
                dataDir,
                bytes,
                capacityShare,
                minFreeBytes,
                maxSegmentBytes,
                maxBlockBytes,
                syncBytes,
                syncInterval,
                indexCacheBytes);
    }

    public StoreConfig withSync(long bytes, Duration interval) {
        return new StoreConfig(
                dataDir,
                capacityBytes,
                capacityShare,
                minFreeBytes,
                maxSegmentBytes,
                maxBlockBytes,
                bytes,
                interval,
                indexCacheBytes);
    }
}
