package io.kvern.streams.doors;

import io.kvern.ingest.BlockPublisher;
import io.kvern.ingest.BlockPut;
import io.kvern.ingest.Publication;
import io.kvern.ingest.PublishOutcome;
import io.kvern.model.BlockKey;
import io.kvern.model.Slot;
import io.kvern.store.BlockStore;
import io.kvern.streams.Certainty;
import io.kvern.streams.NodeView;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A node and its log in memory: what is published is applied by another thread, in order. Its certainty is what a test says
 * it is, and its log can be held back, refuse, or keep payloads to itself.
 */
final class MemoryNode implements NodeView, LogWriter, AutoCloseable {
    static final int PARTITIONS = 8;

    final MemoryStore store = new MemoryStore();
    private final ExecutorService log = Executors.newSingleThreadExecutor();
    private final long[] applied = new long[PARTITIONS];
    private long nextOffset = 100;
    private Certainty certainty = Certainty.CURRENT;
    private int awaits;

    /** Instead of taking a write, the log ends it so. */
    volatile @Nullable PublishOutcome refusal;
    /** Acknowledged, but not applied. */
    volatile boolean applies = true;
    /** Not even acknowledged: the write waits in {@link #held}. */
    volatile boolean acknowledges = true;

    final ConcurrentLinkedQueue<Runnable> held = new ConcurrentLinkedQueue<>();

    MemoryNode() {
        Arrays.fill(applied, -1);
    }

    synchronized void become(Certainty next) {
        certainty = next;
        notifyAll();
    }

    /** How often somebody waited for certainty. */
    synchronized int awaits() {
        return awaits;
    }

    @Override
    public BlockStore store() {
        return store;
    }

    @Override
    public BlockPublisher publisher() {
        throw new UnsupportedOperationException("the door writes to the log given to it");
    }

    @Override
    public int partitionOf(BlockKey key) {
        return key.slot() * PARTITIONS / Slot.COUNT;
    }

    @Override
    public synchronized Certainty certainty(BlockKey key) {
        return certainty;
    }

    @Override
    public synchronized Certainty awaitCurrent(BlockKey key, Duration patience) throws InterruptedException {
        awaits++;
        long until = System.nanoTime() + patience.toNanos();
        while (certainty == Certainty.UNSURE && waitUntil(until)) {}
        return certainty;
    }

    @Override
    public synchronized boolean awaitApplied(int partition, long offset, Duration patience)
            throws InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        while (applied[partition] < offset && waitUntil(until)) {}
        return applied[partition] >= offset;
    }

    private boolean waitUntil(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left <= 0) {
            return false;
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
        return true;
    }

    @Override
    public Map<String, String> status() {
        return Map.of("state", "RUNNING");
    }

    @Override
    public Publication publish(BlockPut put, ByteBuffer payload) {
        CompletableFuture<Void> released = new CompletableFuture<>();
        CompletableFuture<PublishOutcome> outcome = new CompletableFuture<>();
        PublishOutcome refused = refusal;
        if (refused != null) {
            released.complete(null);
            outcome.complete(refused);
            return new Publication(put.key(), released, outcome);
        }
        long offset = next();
        Runnable send = () -> {
            // The payload is read only now: a door that let go of it too early shows.
            byte[] bytes = new byte[payload.remaining()];
            payload.get(payload.position(), bytes);
            released.complete(null);
            acknowledge(put.key(), offset, outcome, () -> store.put(put.key(), put.mode(), offset, bytes));
        };
        submit(send);
        return new Publication(put.key(), released, outcome);
    }

    @Override
    public CompletableFuture<PublishOutcome> remove(BlockKey key) {
        CompletableFuture<PublishOutcome> outcome = new CompletableFuture<>();
        PublishOutcome refused = refusal;
        if (refused != null) {
            outcome.complete(refused);
        } else {
            long offset = next();
            submit(() -> acknowledge(key, offset, outcome, () -> store.remove(key)));
        }
        return outcome;
    }

    private void submit(Runnable send) {
        if (acknowledges) {
            log.execute(send);
        } else {
            held.add(send);
        }
    }

    private void acknowledge(BlockKey key, long offset, CompletableFuture<PublishOutcome> outcome, Runnable effect) {
        int partition = partitionOf(key);
        outcome.complete(new PublishOutcome.Published(partition, offset, offset));
        if (applies) {
            effect.run();
            apply(partition, offset);
        }
    }

    synchronized void apply(int partition, long offset) {
        applied[partition] = Math.max(applied[partition], offset);
        notifyAll();
    }

    private synchronized long next() {
        return nextOffset++;
    }

    @Override
    public void close() {
        held.forEach(Runnable::run);
        log.close();
    }
}
