package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.Fingerprint;
import io.kvern.store.index.BlockIndex.UsageTotals;
import io.kvern.store.index.IndexDamagedException;
import io.kvern.store.segment.DirectoryLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store of one node over one directory: its parts in the order in which they open and close. */
final class LocalBlockStore implements BlockStore {
    private static final Logger LOG = LoggerFactory.getLogger(LocalBlockStore.class);

    private final StoreCore core;
    private final Maintenance maintenance;
    private final BlockReads reads;
    private final DirectoryLock directoryLock;
    private boolean closed;

    LocalBlockStore(StoreCore core, Maintenance maintenance, DirectoryLock directoryLock) {
        this.core = core;
        this.maintenance = maintenance;
        this.reads = new BlockReads(core);
        this.directoryLock = directoryLock;
    }

    @Override
    public PartitionHandle attach(PartitionRef partition) {
        StorePartition attached = new StorePartition(core, partition, reads, maintenance);
        core.attach(attached, partition);
        return attached;
    }

    @Override
    public @Nullable BlockInfo find(BlockKey key) {
        return noting(() -> reads.find(key));
    }

    @Override
    public ReadResult readInto(BlockKey key, ByteBuffer destination) {
        ReadResult result = noting(() -> reads.readInto(key, destination));
        return result == null ? new ReadResult.Absent() : result;
    }

    @Override
    public @Nullable BlockLease open(BlockKey key) {
        return noting(() -> reads.open(key));
    }

    @Override
    public boolean verify(BlockKey key) {
        return Boolean.TRUE.equals(noting(() -> reads.verify(key)));
    }

    /** An index that is found damaged cannot say "absent": the caller gets an error, and the next opening builds it anew. */
    private <T> @Nullable T noting(Supplier<@Nullable T> read) {
        try {
            return read.get();
        } catch (IndexDamagedException e) {
            Path mark = IndexRecovery.damagedMark(core.config.dataDir());
            try {
                Files.writeString(mark, String.valueOf(e.getMessage()));
            } catch (IOException failed) {
                e.addSuppressed(failed);
            }
            throw new StoreFailedException("the index is damaged; it is built anew at the next start", e);
        }
    }

    @Override
    public void sync(Duration deadline) {
        maintenance.sync(deadline);
    }

    @Override
    public Usage usage(Fingerprint namespace) {
        UsageTotals totals = core.usage.of(namespace);
        return new Usage(totals.blocks(), totals.bytes());
    }

    @Override
    public StoreStats stats() {
        UsageTotals all = core.usage.all();
        StoreCounters c = core.counters;
        return new StoreStats(
                all.blocks(),
                all.bytes(),
                core.space.used(),
                core.space.capacity(),
                core.segments.count(),
                core.attached().stream().mapToInt(p -> p.partials().size()).sum(),
                core.partialBytes.get(),
                c.stored.sum(),
                c.storedBytes.sum(),
                c.duplicates.sum(),
                c.conflicts.sum(),
                c.superseded.sum(),
                c.refused.sum(),
                c.expiredPartials.sum(),
                c.removed.sum(),
                c.evictedBlocks.sum(),
                c.evictedSegments.sum(),
                c.reads.sum(),
                c.readBytes.sum(),
                c.misses.sum(),
                c.corrupt.sum(),
                c.readErrors.sum(),
                c.writeErrors.sum(),
                c.syncs.sum(),
                c.syncFailures.sum());
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        core.attached().forEach(StorePartition::close);
        try {
            maintenance.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        core.index.close();
        core.segments.close();
        try {
            directoryLock.close();
        } catch (IOException e) {
            LOG.warn("Releasing the lock of {} failed: {}", core.config.dataDir(), e.toString());
        }
    }
}
