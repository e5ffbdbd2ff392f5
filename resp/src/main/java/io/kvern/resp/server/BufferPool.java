package io.kvern.resp.server;

import io.kvern.model.InvalidInputException;
import io.kvern.model.KvernException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Direct memory for large arguments and replies, out of one budget. A buffer goes back by its last {@code release()}, and is
 * kept for the next of its size: fresh memory costs a page fault for every 4 KiB. Kept memory counts against the budget
 * too, and is given back to the system when another size is asked for. Waiting is in order of arrival. Any thread.
 *
 * <p>Capacities are sizes of {@code 2^k × (4..7)/4} bytes from 16 KiB on, plus 4 KiB, so that a block of a round size and a
 * few bytes beside it waste little.
 */
final class BufferPool implements AutoCloseable {
    private static final int MIN_SIZE = 16 << 10;
    private static final int SLACK = 4 << 10;

    private final long limit;
    private final String setting;
    private final TreeMap<Integer, Deque<Slab>> kept = new TreeMap<>();
    private final Deque<Claim> waiting = new ArrayDeque<>();
    private long inUse;
    private long keptBytes;
    private boolean closed;

    /**
     * @param limit bytes
     * @param setting that moves the limit, for errors
     */
    BufferPool(long limit, String setting) {
        this.limit = limit;
        this.setting = setting;
    }

    /** A piece of memory that is either in use or kept. */
    private record Slab(Arena arena, ByteBuffer memory) {
        static Slab allocate(int capacity) {
            Arena arena = Arena.ofShared();
            try {
                return new Slab(arena, arena.allocate(capacity, SLACK).asByteBuffer());
            } catch (OutOfMemoryError e) {
                arena.close();
                throw new KvernException(
                        "no direct memory for a buffer of %d bytes (-XX:MaxDirectMemorySize)".formatted(capacity), e);
            }
        }

        int capacity() {
            return memory.capacity();
        }
    }

    /** A place in the queue for memory. */
    static final class Claim {
        private final int bytes;
        private final CompletableFuture<ByteBuf> granted = new CompletableFuture<>();

        private Claim(int bytes) {
            this.bytes = bytes;
        }

        /** Completes, in some thread, with a buffer that is then the claimant's. */
        CompletableFuture<ByteBuf> granted() {
            return granted;
        }
    }

    /** What a buffer of {@code bytes} takes of the budget. */
    static int capacityFor(int bytes) {
        int size = Math.max(MIN_SIZE, bytes - SLACK);
        int step = Math.max(MIN_SIZE, Integer.highestOneBit(size - 1)) / 4;
        return Math.toIntExact(((long) size + step - 1) / step * step + SLACK);
    }

    /** An empty buffer with room for {@code bytes}, or null where the budget is spent or others wait already. */
    @Nullable
    ByteBuf tryAcquire(int bytes) {
        int capacity = checkedCapacity(bytes);
        List<Slab> surplus = new ArrayList<>();
        Slab slab;
        synchronized (this) {
            if (!waiting.isEmpty() || inUse + capacity > limit) {
                return null;
            }
            slab = take(capacity, surplus);
        }
        return lend(slab, capacity, bytes, surplus);
    }

    /**
     * Waits for an empty buffer with room for {@code bytes}.
     *
     * @throws BudgetSpentException if none came free within {@code patience}
     */
    ByteBuf acquire(int bytes, Duration patience) throws InterruptedException {
        Claim claim = claim(bytes);
        try {
            return claim.granted.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            abandon(claim);
            throw new BudgetSpentException(
                    "%d bytes of memory did not come free within %d ms: %d of %d are in use (setting %s)"
                            .formatted(bytes, patience.toMillis(), inUse(), limit, setting));
        } catch (ExecutionException e) {
            throw new KvernException("no buffer of %d bytes: %s".formatted(bytes, e.getMessage()), e);
        } catch (InterruptedException e) {
            abandon(claim);
            throw e;
        }
    }

    /** Queues for a buffer with room for {@code bytes}; granted at once where there is memory and nobody waits. */
    Claim claim(int bytes) {
        checkedCapacity(bytes);
        Claim claim = new Claim(bytes);
        synchronized (this) {
            waiting.add(claim);
        }
        grant();
        return claim;
    }

    /** Leaves the queue; a buffer that came all the same goes back. */
    void abandon(Claim claim) {
        boolean waited;
        synchronized (this) {
            waited = waiting.remove(claim);
        }
        if (waited) {
            grant();
        } else {
            var _ = claim.granted.thenAccept(ByteBuf::release);
        }
    }

    /** Bytes held by buffers that are not released yet. */
    synchronized long inUse() {
        return inUse;
    }

    long limit() {
        return limit;
    }

    /** Gives kept memory back to the system; what is in use follows when it is released. */
    @Override
    public void close() {
        List<Slab> surplus = new ArrayList<>();
        synchronized (this) {
            closed = true;
            trim(0, surplus);
        }
        free(surplus);
    }

    private int checkedCapacity(int bytes) {
        int capacity = capacityFor(bytes);
        if (capacity > limit) {
            throw InvalidInputException.overLimit("memory for one argument or reply", capacity, limit, setting);
        }
        return capacity;
    }

    /** Serves the queue from its head as far as the budget goes. */
    private void grant() {
        while (true) {
            List<Slab> surplus = new ArrayList<>();
            Claim claim;
            int capacity;
            Slab slab;
            synchronized (this) {
                claim = waiting.peek();
                if (claim == null) {
                    return;
                }
                capacity = capacityFor(claim.bytes);
                if (inUse + capacity > limit) {
                    return;
                }
                waiting.remove();
                slab = take(capacity, surplus);
            }
            try {
                claim.granted.complete(lend(slab, capacity, claim.bytes, surplus));
            } catch (KvernException e) {
                claim.granted.completeExceptionally(e);
            }
        }
    }

    /** Moves {@code capacity} bytes into use: a kept slab, or null and the right to allocate one. Under the lock. */
    private @Nullable Slab take(int capacity, List<Slab> surplus) {
        inUse += capacity;
        Deque<Slab> sameSize = kept.get(capacity);
        if (sameSize != null) {
            keptBytes -= capacity;
            Slab slab = sameSize.pop();
            if (sameSize.isEmpty()) {
                kept.remove(capacity);
            }
            return slab;
        }
        trim(limit - inUse, surplus);
        return null;
    }

    /** Takes kept slabs out, largest first, until they are within {@code allowed} bytes. Under the lock. */
    private void trim(long allowed, List<Slab> surplus) {
        while (keptBytes > allowed) {
            var largest = kept.lastEntry();
            surplus.add(largest.getValue().pop());
            keptBytes -= largest.getKey();
            if (largest.getValue().isEmpty()) {
                kept.remove(largest.getKey());
            }
        }
    }

    /** Outside the lock: the system zeroes fresh memory, which takes its time. */
    private ByteBuf lend(@Nullable Slab slab, int capacity, int bytes, List<Slab> surplus) {
        free(surplus);
        if (slab != null) {
            return new PooledBuffer(slab, bytes);
        }
        try {
            return new PooledBuffer(Slab.allocate(capacity), bytes);
        } catch (KvernException e) {
            synchronized (this) {
                inUse -= capacity;
            }
            throw e;
        }
    }

    private void giveBack(Slab slab) {
        synchronized (this) {
            inUse -= slab.capacity();
            if (!closed) {
                kept.computeIfAbsent(slab.capacity(), _ -> new ArrayDeque<>()).push(slab);
                keptBytes += slab.capacity();
                slab = null;
            }
        }
        if (slab != null) {
            slab.arena().close();
        }
        grant();
    }

    private static void free(List<Slab> slabs) {
        slabs.forEach(slab -> slab.arena().close());
    }

    /** A view of a slab that returns it. */
    private final class PooledBuffer extends UnpooledDirectByteBuf {
        private final Slab slab;

        PooledBuffer(Slab slab, int bytes) {
            super(UnpooledByteBufAllocator.DEFAULT, slab.memory().slice(0, bytes), bytes);
            this.slab = slab;
            clear();
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            giveBack(slab);
        }
    }
}
