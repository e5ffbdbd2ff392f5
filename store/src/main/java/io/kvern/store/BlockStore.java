package io.kvern.store;

import io.kvern.model.Fingerprint;
import java.time.Duration;

/**
 * All blocks of one node, in one locked directory. Opened before, and closed after, whatever feeds it.
 *
 * <p>Threads: reading from any thread; each partition is written by one thread at a time; one maintenance thread inside does
 * sync, eviction, unlinking and every write to the index.
 */
public interface BlockStore extends BlockReader, AutoCloseable {
    /**
     * Attaches a partition: its blocks are found from now on, and its records may be applied.
     *
     * @throws io.kvern.model.InvalidInputException if the directory holds blocks of another topic id or partition count
     * @throws IllegalStateException if it is attached already
     */
    PartitionHandle attach(PartitionRef partition);

    /**
     * Makes everything applied so far durable.
     *
     * @throws StoreFailedException if the disk fails, or the deadline passes first
     */
    void sync(Duration deadline);

    /** Blocks and bytes of one namespace in attached and detached partitions. */
    Usage usage(Fingerprint namespace);

    StoreStats stats();

    /**
     * What a namespace holds.
     *
     * @param blocks visible blocks
     * @param bytes their payload
     */
    record Usage(long blocks, long bytes) {}

    /** Syncs, then lets go of the directory. Reads in flight end first. */
    @Override
    void close();
}
