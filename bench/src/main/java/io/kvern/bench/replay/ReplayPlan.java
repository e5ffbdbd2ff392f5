package io.kvern.bench.replay;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Settings;
import io.kvern.model.InvalidInputException;
import io.kvern.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Sizes of a replay, in bytes.
 *
 * @param blockBytes payload of each block
 * @param capacityBytes of the store
 * @param logBytes what the blocks topic holds at the most: all that may be published
 * @param neededBytes of disk, log and store together, at the most
 */
record ReplayPlan(int blockBytes, long capacityBytes, long logBytes, long neededBytes) {
    /** Largest block: that of the settings' default. */
    static final int MAX_BLOCK_BYTES = 64 << 20;

    static final long MIN_FREE_BYTES = 64L << 20;

    /** What a block costs beside its payload, rounded up: in the log per chunk, in the store with alignment and index. */
    private static final int PER_CHUNK = 512;

    private static final int CHUNK_BYTES = 508 << 10;
    private static final int PER_STORED = 512;
    private static final int PAGE_ALIGNED_FROM = 64 << 10;
    private static final int PAGE = 4096;

    /** The index's own files, and a log's and a store's beginnings. */
    private static final long FIXED = 128L << 20;

    /** A store evicts from two sixteenths below its capacity on. */
    private static final double STORE_ROOM = 1.35;

    /** Partitions are not filled evenly. */
    private static final double LOG_ROOM = 1.5;

    private static final long MOST = Long.MAX_VALUE / 8;

    /** @throws InvalidInputException if a size is impossible */
    static ReplayPlan of(TraceSummary trace, int blockBytes, Capacity capacity) {
        if (blockBytes < 1 || blockBytes > MAX_BLOCK_BYTES) {
            throw new InvalidInputException(
                    "--block-bytes is %d; 1 to %d are allowed".formatted(blockBytes, MAX_BLOCK_BYTES));
        }
        long chunks = Math.ceilDiv(blockBytes, CHUNK_BYTES);
        long logged = blockBytes + chunks * PER_CHUNK;
        long stored = (long) blockBytes + (blockBytes < PAGE_ALIGNED_FROM ? 0 : PAGE) + PER_STORED;
        long whole = times(trace.uniqueBlocks(), stored) + FIXED;
        return switch (capacity) {
            case Capacity.Unlimited() -> {
                // Blocks that are still coming may hold a sixteenth together: some of each partition.
                long bytes = Math.max((long) (whole * STORE_ROOM), 256L * blockBytes);
                yield new ReplayPlan(
                        blockBytes,
                        bytes,
                        times(trace.uniqueBlocks(), logged),
                        whole + times(trace.uniqueBlocks(), logged) + FIXED);
            }
            case Capacity.Bytes(long bytes) -> limited(trace, blockBytes, bytes, logged);
            case Capacity.Share(double share) ->
                limited(trace, blockBytes, (long) (share * times(trace.uniqueBlocks(), blockBytes)), logged);
        };
    }

    private static ReplayPlan limited(TraceSummary trace, int blockBytes, long bytes, long logged) {
        long least = Math.max(StoreConfig.MIN_CAPACITY_BYTES, 16L * blockBytes);
        if (bytes < least) {
            throw new InvalidInputException(
                    "--capacity is %d bytes; at least %d are needed with blocks of %d (--block-bytes)"
                            .formatted(bytes, least, blockBytes));
        }
        long log = times(trace.blocks(), logged);
        return new ReplayPlan(blockBytes, bytes, log, Math.min(bytes, MOST) + log + FIXED);
    }

    private static long times(long count, long bytes) {
        return count > MOST / bytes ? MOST : count * bytes;
    }

    /** @throws InvalidInputException if the disk of this directory has not as much free, naming both */
    void requireRoom(Path directory) throws IOException {
        long free = Files.getFileStore(directory).getUsableSpace();
        if (free - MIN_FREE_BYTES < neededBytes) {
            throw new InvalidInputException("up to %,d bytes of disk are needed in %s, and %,d are free"
                            .formatted(neededBytes + MIN_FREE_BYTES, directory, free)
                    + " (--data-dir, --block-bytes, --limit)");
        }
    }

    /**
     * A large store has thousands of segments, and holds two of them free; one of a few hundred MiB would lose an eighth to
     * that, and evict in coarse pieces. So a replay takes smaller ones.
     */
    private long segmentBytes() {
        return Math.clamp(Math.max(capacityBytes / 64, 16L * blockBytes), 1 << 20, 256 << 20);
    }

    /** The configuration of broker, node and publisher. */
    KvernConfig config(Path directory) {
        long retention = (long) (logBytes * LOG_ROOM) + (1L << 30);
        return KvernConfig.resolve(
                null,
                Map.of(),
                Map.of(
                        Settings.DATA_DIR.key(),
                        directory.toString(),
                        Settings.LISTEN.key(),
                        "127.0.0.1:0",
                        Settings.CAPACITY.key(),
                        Long.toString(capacityBytes),
                        Settings.SEGMENT.key(),
                        Long.toString(segmentBytes()),
                        Settings.MIN_FREE.key(),
                        Long.toString(MIN_FREE_BYTES),
                        Settings.RETENTION.key(),
                        Long.toString(retention),
                        Settings.PUBLISH_BUDGET.key(),
                        Long.toString(Math.max(64L << 20, 4L * blockBytes) + (16L << 20)),
                        Settings.PUBLISH_WAIT.key(),
                        "60s"));
    }
}
