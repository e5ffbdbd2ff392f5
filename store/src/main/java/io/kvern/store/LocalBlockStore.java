package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.Fingerprint;
import io.kvern.store.index.BlockIndex.UsageTotals;
import io.kvern.store.segment.DirectoryLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
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
        return reads.find(key);
    }

    @Override
    public List<@Nullable BlockInfo> findAll(List<BlockKey> keys) {
        return reads.findAll(keys);
    }

    @Override
    public ReadResult readInto(BlockKey key, ByteBuffer destination) {
        return reads.readInto(key, destination);
    }

    @Override
    public @Nullable BlockLease open(BlockKey key) {
        return reads.open(key);
    }

    @Override
    public boolean verify(BlockKey key) {
        return reads.verify(key);
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
                c.keptBlocks.sum(),
                c.keptBytes.sum(),
                c.reads.sum(),
                c.readBytes.sum(),
                c.misses.sum(),
                c.corrupt.sum(),
                c.readErrors.sum(),
                c.writeErrors.sum(),
                c.syncs.sum(),
                c.syncFailures.sum());
    }

    private boolean stopped() {
        try {
            return maintenance.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        core.refuseNew();
        core.space.close();
        core.attached().forEach(StorePartition::close);
        if (!stopped()) {
            LOG.error(
                    "The disk hangs; the store in {} cannot be closed before its process ends", core.config.dataDir());
            return;
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
