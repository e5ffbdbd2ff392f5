package io.kvern.app.demo;

import io.kvern.app.demo.engine.BlockMemory;
import io.kvern.app.demo.engine.BlockTier;

/** What the demo runs on: pinned memory, publisher and loader of each worker, and the store node behind them. */
public interface DemoBackend {
    /** One worker's way to the store. */
    interface WorkerLink extends AutoCloseable {
        /** The memory of the worker's KV pool. */
        BlockMemory memory();

        /** Publishes and loads through the store. */
        BlockTier tier();

        /** Stops the worker: what is on its way is sent or given up within the publisher's deadline, memory is freed. */
        @Override
        void close();
    }

    /**
     * What went through the store so far, all workers together.
     *
     * @param publishedBlocks blocks that the log acknowledged
     * @param publishedBytes bytes of these
     * @param notPublishedBlocks blocks dropped or failed on the way out
     * @param storedBlocks blocks in the store now
     * @param storedBytes bytes of these
     * @param loadedBlocks blocks that came back, verified
     * @param loadedBytes bytes of these
     * @param corruptBlocks blocks that a checksum rejected anywhere
     */
    record Counts(
            long publishedBlocks,
            long publishedBytes,
            long notPublishedBlocks,
            long storedBlocks,
            long storedBytes,
            long loadedBlocks,
            long loadedBytes,
            long corruptBlocks) {}

    /**
     * A store node that filled itself from the log.
     *
     * @param blocks that it restored
     * @param bytes of these
     * @param nanos from the start of the new node until it served all of them
     */
    record Replay(long blocks, long bytes, long nanos) {}

    /**
     * Starts a worker with an empty pool.
     *
     * @param name for logs
     * @param slots blocks that its pool has room for
     * @param slotBytes bytes of one block
     */
    WorkerLink startWorker(String name, int slots, int slotBytes);

    /** Waits until everything published so far can be loaded; fails at a deadline of the backend. */
    void awaitStored() throws InterruptedException;

    /** Stops the store node, deletes all that it has on disk, and starts another, which refills from the log. */
    Replay replaceStoreNode(Progress progress) throws InterruptedException;

    Counts counts();
}
