package io.kvern.store.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pair of files: payload ({@code .data}) and its log of frames ({@code .log}). Appended to, never rewritten, only unlinked.
 *
 * <p>Threads: space is reserved under the caller's lock; payload is written by any number of threads into their own
 * reservations; frames are appended by one thread; reading is free. Files close when the last lease ends, even after they
 * were unlinked.
 */
public final class Segment {
    private static final Logger LOG = LoggerFactory.getLogger(Segment.class);

    /** One bit of hits stands for so much payload: 32 MiB of them for a store of a TiB. Smaller blocks share one. */
    private static final int HIT_BYTES = 4096;

    private final long id;
    private final SegmentFile data;
    private final AtomicInteger leases = new AtomicInteger(1);
    private final AtomicInteger reservations = new AtomicInteger();
    private final AtomicLong unpersisted = new AtomicLong();
    private final Runnable onClosed;
    private final BitSet hits = new BitSet();

    private final @Nullable SegmentFile log;
    private volatile long tail;
    private volatile long logBytes;
    private volatile boolean sealed;
    private volatile boolean dirty;

    /** How far log and data are known to be whole and durable; maintenance and opening only. */
    private long recordedLog;

    private long recordedData;

    /** Number of the sync point that this process appended last, 0 where it appended nothing. */
    private long newestSync;

    Segment(
            long id,
            SegmentFile data,
            @Nullable SegmentFile log,
            long tail,
            long logBytes,
            boolean sealed,
            Runnable onClosed) {
        this.id = id;
        this.data = data;
        this.log = log;
        this.tail = tail;
        this.logBytes = logBytes;
        this.sealed = sealed;
        this.onClosed = onClosed;
    }

    public long id() {
        return id;
    }

    /** Payload space given out, and the log, in bytes. */
    public long bytes() {
        return tail + logBytes;
    }

    public long tail() {
        return tail;
    }

    /** Only under the lock that guards reserving. */
    public void reserve(long newTail) {
        tail = newTail;
        reservations.incrementAndGet();
    }

    /** A reservation ended, filled or not. */
    public void settle() {
        reservations.decrementAndGet();
    }

    /** Whether blocks are still being written into it. */
    public boolean reserved() {
        return reservations.get() > 0;
    }

    /** An entry that names this segment is in memory only. */
    public void entryAdded() {
        unpersisted.incrementAndGet();
    }

    /** So many of those entries are persisted now, or withdrawn. */
    public void entriesSettled(long count) {
        unpersisted.addAndGet(-count);
    }

    public boolean hasUnpersistedEntries() {
        return unpersisted.get() > 0;
    }

    /** The block that begins at {@code place} was wanted. Any thread. */
    public void noteHit(long place) {
        synchronized (hits) {
            hits.set((int) (place / HIT_BYTES));
        }
    }

    /** Whether the block that begins at {@code place}, or a small one beside it, was wanted since this process opened it. */
    public boolean hit(long place) {
        synchronized (hits) {
            return hits.get((int) (place / HIT_BYTES));
        }
    }

    public boolean sealed() {
        return sealed;
    }

    /** Nothing is reserved in it any more. */
    public void seal() {
        sealed = true;
    }

    public boolean dirty() {
        return dirty;
    }

    /** Payload was written that is not forced yet. */
    public void markDirty() {
        dirty = true;
    }

    public void clearDirty() {
        dirty = false;
    }

    /** Keeps the files open; false where they are closed or about to be. */
    public boolean tryLease() {
        int count;
        do {
            count = leases.get();
            if (count == 0) {
                return false;
            }
        } while (!leases.compareAndSet(count, count + 1));
        return true;
    }

    /** Ends a lease; the last one closes the files. */
    public void release() {
        if (leases.decrementAndGet() == 0) {
            closeFiles();
        }
    }

    private void closeFiles() {
        try {
            if (log != null) {
                log.close();
            }
            data.close();
        } catch (IOException e) {
            LOG.debug("Closing segment {} failed; what had to be durable was forced before", id, e);
        } finally {
            onClosed.run();
        }
    }

    /** Under a lease. */
    public void write(ByteBuffer payload, long place) throws IOException {
        data.write(payload, place);
    }

    /**
     * Fills {@code to} from {@code place}; under a lease.
     *
     * @return false where the file ends before
     */
    public boolean read(ByteBuffer to, long place) throws IOException {
        long at = place;
        while (to.hasRemaining()) {
            int read = data.read(to, at);
            if (read < 0) {
                return false;
            }
            at += read;
        }
        return true;
    }

    public void forceData() throws IOException {
        data.force();
    }

    /**
     * Appends frames; durable after {@link #forceLog()}. One thread.
     *
     * @param sync number of their sync point
     */
    public void append(ByteBuffer frames, long sync) throws IOException {
        SegmentFile target = log;
        if (target == null) {
            throw new IllegalStateException("the log of segment " + id + " is not open for appending");
        }
        newestSync = sync;
        int bytes = frames.remaining();
        long end = logBytes;
        target.write(frames, end);
        logBytes = end + bytes;
    }

    /** The newest sync point with frames of this process in this log, or 0; for the thread that appends. */
    public long newestSync() {
        return newestSync;
    }

    public void forceLog() throws IOException {
        if (log != null) {
            log.force();
        }
    }

    /** Length of the log in bytes, whatever a torn end holds included. */
    public long logBytes() {
        return logBytes;
    }

    /** Length of the log up to which its frames are intact and belong to sync points that were reached. */
    public long recordedLog() {
        return recordedLog;
    }

    /** Where the payload that those frames name ends. */
    public long recordedData() {
        return recordedData;
    }

    /** Notes both; neither ever shrinks. */
    public void record(long log, long data) {
        recordedLog = Math.max(recordedLog, log);
        recordedData = Math.max(recordedData, data);
    }
}
