package io.kvern.store;

import io.kvern.store.segment.Segment;
import io.kvern.store.segment.SegmentDirectory;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The disk as the store may use it: hands out places in segments, holds the hard cap and the free space left to others. Who
 * finds no room asks for eviction and waits for it, a bounded time.
 */
final class Space {
    private static final Logger LOG = LoggerFactory.getLogger(Space.class);

    /** From this length on a block begins on a page, so that direct reads and mappings are possible later. */
    private static final int PAGE_ALIGNED_FROM = 64 << 10;

    private static final int PAGE = 4096;
    private static final int SMALL = 64;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** A file system that refuses what the arithmetic allows is believed after so many tries, each with an eviction between. */
    private static final int TRIES = 2;

    private final SegmentDirectory directory;
    private final LongSupplier indexBytes;
    private final long capacity;
    private final long minFree;
    private final long segmentBytes;
    private final long capForWriters;
    private final Runnable wakeMaintenance;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Segment active;
    private long used;
    private long free;
    private long asked;
    private long exhausted;
    private long rounds;
    private boolean namesNeedForce;
    private boolean closed;

    Space(
            SegmentDirectory directory,
            LongSupplier indexBytes,
            long capacity,
            long minFree,
            long segmentBytes,
            Runnable wakeMaintenance)
            throws IOException {
        this.directory = directory;
        this.indexBytes = indexBytes;
        this.capacity = capacity;
        this.minFree = minFree;
        this.segmentBytes = Math.min(segmentBytes, capacity / 16);
        this.capForWriters = capacity - this.segmentBytes / 2;
        this.wakeMaintenance = wakeMaintenance;
        measure();
    }

    long capacity() {
        return capacity;
    }

    /** Looks at the disk again; between two looks what is given out is subtracted. */
    void measure() throws IOException {
        long index = indexBytes.getAsLong();
        lock.lock();
        try {
            used = directory.bytes() + index;
            free = directory.usableBytes();
        } finally {
            lock.unlock();
        }
    }

    long used() {
        lock.lock();
        try {
            return used;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Space for a block; the caller settles it. Half a segment below the cap is left for {@link #reserveNow}: else writers
     * in a hurry would have it before what is kept of a segment that goes.
     *
     * @throws NoSpaceException if there is none, and eviction cannot make any
     * @throws StoreFailedException if the store is being closed, or the thread is interrupted while it waits
     */
    Reservation reserve(int length) throws NoSpaceException {
        long need = (long) length + PAGE;
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        int tries = 0;
        lock.lock();
        try {
            while (true) {
                if (closed) {
                    throw new StoreFailedException("the store is closed");
                }
                if (hopeless(need)) {
                    throw noSpace(length);
                }
                if (fits(need, capForWriters)) {
                    Reservation made = take(length);
                    if (used > highWatermark()) {
                        wakeMaintenance.run();
                    }
                    if (made != null) {
                        return made;
                    }
                    tries++;
                }
                if (tries >= TRIES || (!evictionHelped(deadline) && !fits(need, capForWriters))) {
                    throw noSpace(length);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailedException("interrupted while waiting for room for %d bytes".formatted(length), e);
        } finally {
            lock.unlock();
        }
    }

    /** Space for a block where there is some at once, or null; for who makes room and cannot wait for it. */
    @Nullable
    Reservation reserveNow(int length) {
        lock.lock();
        try {
            return closed || !fits((long) length + PAGE, capacity) ? null : take(length);
        } finally {
            lock.unlock();
        }
    }

    /** Asks for an eviction and waits: false where there was none until the deadline, or nothing is left to evict. */
    private boolean evictionHelped(long deadline) throws InterruptedException {
        long mine = ++asked;
        long seen = rounds;
        wakeMaintenance.run();
        while (exhausted < mine && rounds == seen && !closed) {
            if (changed.awaitNanos(deadline - System.nanoTime()) <= 0) {
                return false;
            }
        }
        return rounds != seen && System.nanoTime() < deadline;
    }

    private boolean fits(long need, long cap) {
        return used + need <= cap && free - need >= minFree;
    }

    /** Not even an empty store would have the room. */
    private boolean hopeless(long need) {
        return need > capacity - segmentBytes || free + used - need < minFree;
    }

    private NoSpaceException noSpace(int length) {
        return new NoSpaceException(
                "no room for %d bytes: %d of %d bytes used (store.capacity.bytes), %d bytes free on disk, %d kept free (store.min.free.bytes)"
                        .formatted(length, used, capacity, free, minFree));
    }

    /** Null where the file system refuses a new segment. */
    private @Nullable Reservation take(int length) {
        try {
            if (length > segmentBytes) {
                Segment alone = roll();
                Reservation reservation = place(alone, length);
                alone.seal();
                return reservation;
            }
            Segment current = active;
            if (current == null || current.sealed() || placeIn(current, length) + length > segmentBytes) {
                if (current != null) {
                    current.seal();
                }
                current = roll();
                active = current;
            }
            return place(current, length);
        } catch (IOException e) {
            LOG.warn("Cannot make a segment: {}", e.toString());
            return null;
        }
    }

    private Segment roll() throws IOException {
        Segment made = directory.create();
        namesNeedForce = true;
        used += made.bytes();
        return made;
    }

    private Reservation place(Segment segment, int length) {
        if (!segment.tryLease()) {
            throw new IllegalStateException("segment " + segment.id() + " was closed while it was written to");
        }
        long place = placeIn(segment, length);
        long grown = place + length - segment.tail();
        segment.reserve(place + length);
        used += grown;
        free -= grown;
        return new Reservation(segment, place);
    }

    private static long placeIn(Segment segment, int length) {
        long alignment = length >= PAGE_ALIGNED_FROM ? PAGE : SMALL;
        return (segment.tail() + alignment - 1) / alignment * alignment;
    }

    /** The segment whose log takes frames that belong to no other, sealed or not; made where there is none. */
    Segment host() throws IOException {
        lock.lock();
        try {
            Segment current = active;
            if (current == null) {
                current = roll();
                active = current;
            }
            return current;
        } finally {
            lock.unlock();
        }
    }

    /** Whether files were made since the last call: their names must be made durable. */
    boolean takeNamesNeedForce() {
        lock.lock();
        try {
            boolean need = namesNeedForce;
            namesNeedForce = false;
            return need;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more goes into what is open now, neither payload nor frames. */
    void sealActive() {
        lock.lock();
        try {
            if (active != null) {
                active.seal();
                active = null;
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isActive(Segment segment) {
        lock.lock();
        try {
            return segment == active;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Eviction is done ahead, so that writers rarely wait: two segments below the cap, and one above the free space to keep,
     * if evicting can get there at all. And for whoever waits.
     */
    boolean wantsEviction() {
        lock.lock();
        try {
            long freeAhead = minFree + segmentBytes;
            boolean overCap = used > highWatermark();
            boolean tooLittleFree = free < freeAhead && free + used >= freeAhead;
            return overCap || tooLittleFree || (asked > exhausted && lock.hasWaiters(changed));
        } finally {
            lock.unlock();
        }
    }

    private long highWatermark() {
        return capacity - 2 * segmentBytes;
    }

    /** How many have asked; for {@link #nothingToEvict}. */
    long asked() {
        lock.lock();
        try {
            return asked;
        } finally {
            lock.unlock();
        }
    }

    /** A segment was evicted. */
    void roomMade() {
        lock.lock();
        try {
            rounds++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing was left that could be evicted: whoever had asked until then is refused. */
    void nothingToEvict(long askedUntil) {
        lock.lock();
        try {
            exhausted = Math.max(exhausted, askedUntil);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nobody gets room any more; whoever waits is told. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
