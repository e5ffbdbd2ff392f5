package io.kvern.worker.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.InvalidInputException;
import io.kvern.model.KvernException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class PinnedPoolTest {
    private static final Duration SOON = Duration.ofMillis(50);

    /** Plain memory that counts, and starts where no page does. */
    private static final class CountedMemory implements PinnedMemory {
        final Set<ByteBuffer> slabs = Collections.newSetFromMap(new IdentityHashMap<>());
        int freed;

        @Override
        public String description() {
            return "memory of a test";
        }

        @Override
        public ByteBuffer allocate(int bytes) {
            ByteBuffer slab = ByteBuffer.allocateDirect(bytes + 8).position(8).slice();
            slabs.add(slab);
            return slab;
        }

        @Override
        public void free(ByteBuffer slab) {
            assertThat(slabs.remove(slab)).isTrue();
            freed++;
        }
    }

    private final CountedMemory memory = new CountedMemory();

    private static PinnedLease take(PinnedPool pool) {
        PinnedLease lease = pool.tryLease();
        if (lease == null) {
            throw new AssertionError("no slot is free");
        }
        return lease;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4095, 4096, 4097, 1_000_000})
    void slotsAreAlignedAndApart(int slotBytes) {
        try (PinnedPool pool = PinnedPool.open(memory, slotBytes, 5)) {
            List<PinnedLease> leases = new ArrayList<>();
            for (byte i = 0; i < 5; i++) {
                PinnedLease lease = take(pool);
                leases.add(lease);
                ByteBuffer slot = lease.buffer();
                assertThat(slot.isDirect()).isTrue();
                assertThat(slot.position()).isZero();
                assertThat(slot.capacity()).isEqualTo(slotBytes).isEqualTo(slot.limit());
                assertThat(slot.alignmentOffset(0, PinnedPool.ALIGNMENT)).isZero();
                while (slot.hasRemaining()) {
                    slot.put(i);
                }
            }
            assertThat(pool.tryLease()).isNull();
            for (byte i = 0; i < 5; i++) {
                ByteBuffer slot = leases.get(i).buffer();
                while (slot.hasRemaining()) {
                    if (slot.get() != i) {
                        throw new AssertionError("slot %d was written through another".formatted(i));
                    }
                }
                leases.get(i).release();
            }
            assertThat(pool.leased()).isZero();
        }
        assertThat(memory.slabs).isEmpty();
    }

    /** Maps a file with holes: address space without memory. */
    private static final class SparseMemory implements PinnedMemory {
        final List<Integer> asked = new ArrayList<>();
        private final Path directory;
        private final int limit;
        int freed;

        SparseMemory(Path directory, int limit) {
            this.directory = directory;
            this.limit = limit;
        }

        @Override
        public String description() {
            return "a file with holes";
        }

        @Override
        public ByteBuffer allocate(int bytes) {
            if (asked.size() == limit) {
                throw new KvernException("no memory for a slab of %d bytes".formatted(bytes));
            }
            asked.add(bytes);
            try (FileChannel file = FileChannel.open(
                    directory.resolve("slab-" + asked.size()),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE)) {
                return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void free(ByteBuffer slab) {
            freed++;
        }
    }

    @Test
    void aLargePoolIsCutFromSlabsUnderTwoGibibytes(@TempDir Path directory) throws Exception {
        SparseMemory sparse = new SparseMemory(directory, 3);
        int slotBytes = 700 << 20;

        try (PinnedPool pool = PinnedPool.open(sparse, slotBytes, 5)) {
            assertThat(sparse.asked).hasSize(3).allMatch(bytes -> bytes > 0 && bytes <= PinnedMemory.MAX_SLAB_BYTES);
            List<PinnedLease> leases = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                leases.add(take(pool));
                leases.get(i).buffer().putInt(0, i).putInt(slotBytes - 4, ~i);
            }
            for (int i = 0; i < 5; i++) {
                ByteBuffer slot = leases.get(i).buffer();
                assertThat(slot.getInt(0)).isEqualTo(i);
                assertThat(slot.getInt(slotBytes - 4)).isEqualTo(~i);
                leases.get(i).release();
            }
        }
        assertThat(sparse.freed).isEqualTo(3);
    }

    @Test
    void whatCannotBeAllocatedLeavesNothingBehind(@TempDir Path directory) {
        SparseMemory sparse = new SparseMemory(directory, 2);

        assertThatThrownBy(() -> PinnedPool.open(sparse, 700 << 20, 5))
                .isInstanceOf(KvernException.class)
                .hasMessageContaining("no memory");

        assertThat(sparse.freed).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, (1 << 30) + 1})
    void impossibleSlotsAreRefused(int slotBytes) {
        assertThatThrownBy(() -> PinnedPool.open(memory, slotBytes, 1))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(Integer.toString(slotBytes));
        assertThatThrownBy(() -> PinnedPool.open(memory, 1, slotBytes == 0 ? 0 : -1))
                .isInstanceOf(InvalidInputException.class);
    }

    @Test
    void hostMemoryThatIsGoneThrowsInsteadOfShowingOthersBytes() {
        PinnedPool pool = PinnedPool.open(new HostMemory(), 10_000, 2);
        PinnedLease lease = take(pool);
        ByteBuffer view = lease.buffer();
        view.put(0, (byte) 1);
        lease.release();
        pool.close();

        assertThatThrownBy(() -> view.get(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void hostMemoryBeyondWhatTheMachineHasIsAClearError() {
        HostMemory small = new HostMemory(1_000_000);

        assertThatThrownBy(() -> PinnedPool.open(small, 100_000, 10))
                .isInstanceOf(KvernException.class)
                .hasMessageContaining("1000000 in all");
        // What was given back counts no more.
        for (int i = 0; i < 3; i++) {
            PinnedPool.open(small, 100_000, 9).close();
        }
    }

    @Test
    void aLeaseLivesUntilItsLastHolderReleases() {
        try (PinnedPool pool = PinnedPool.open(memory, 100, 1)) {
            PinnedLease lease = take(pool);
            assertThat(lease.retain()).isSameAs(lease);
            lease.release();
            assertThat(lease.buffer().capacity()).isEqualTo(100);
            assertThat(pool.tryLease()).isNull();

            lease.close();

            assertThat(pool.leased()).isZero();
            PinnedLease next = take(pool);
            assertThatThrownBy(lease::buffer)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("slot 0");
            assertThatThrownBy(lease::retain).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(lease::release).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(lease::close).isInstanceOf(IllegalStateException.class);
            // The stale handle did not reach the next holder's slot.
            assertThat(pool.tryLease()).isNull();
            assertThat(next.buffer().capacity()).isEqualTo(100);
            next.release();
        }
    }

    @Test
    void anEmptyPoolIsWaitedForUntilTheDeadline() throws Exception {
        try (PinnedPool pool = PinnedPool.open(memory, 100, 2)) {
            PinnedLease first = pool.lease(SOON);
            PinnedLease second = pool.lease(Duration.ZERO);
            long start = System.nanoTime();
            assertThatThrownBy(() -> pool.lease(SOON))
                    .isInstanceOf(PoolExhaustedException.class)
                    .hasMessageContaining("all 2 slots of 100 bytes")
                    .hasMessageContaining("50 ms");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(SOON, SOON.plusMillis(500));

            CompletableFuture<PinnedLease> waiting = inThread(() -> pool.lease(Duration.ofSeconds(10)));
            first.release();
            waiting.get(10, TimeUnit.SECONDS).release();
            second.release();
        }
    }

    private interface Leasing {
        PinnedLease lease() throws InterruptedException;
    }

    private static CompletableFuture<PinnedLease> inThread(Leasing leasing) {
        CompletableFuture<PinnedLease> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(leasing.lease());
            } catch (InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    @Test
    void memoryOutlivesTheLeasesThatAreOut() throws Exception {
        PinnedPool pool = PinnedPool.open(memory, 100, 2);
        PinnedLease lease = take(pool);
        PinnedLease other = take(pool);
        CompletableFuture<PinnedLease> waiting = inThread(() -> pool.lease(Duration.ofSeconds(10)));

        assertThatThrownBy(() -> pool.close(SOON))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2 of 2 slots");

        assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(pool::tryLease)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(memory.freed).isZero();
        lease.buffer().put(0, (byte) 1);
        lease.release();
        assertThat(memory.freed).isZero();
        other.release();
        assertThat(memory.freed).isEqualTo(1);
        pool.close();
        assertThat(memory.freed).isEqualTo(1);
    }

    @Test
    void closingWaitsForLeases() throws Exception {
        PinnedPool pool = PinnedPool.open(memory, 100, 1);
        PinnedLease lease = take(pool);
        CompletableFuture<@Nullable Void> closed = CompletableFuture.runAsync(pool::close);
        while (isOpen(pool)) {
            Thread.onSpinWait();
        }
        assertThat(memory.freed).isZero();

        lease.release();

        closed.get(4, TimeUnit.SECONDS);
        assertThat(memory.freed).isEqualTo(1);
    }

    private static boolean isOpen(PinnedPool pool) {
        try {
            return pool.tryLease() == null;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void manyThreadsNeverShareASlotAndGiveEveryOneBack(long seed) throws Exception {
        int threads = 8;
        AtomicInteger done = new AtomicInteger();
        List<CompletableFuture<@Nullable Void>> runs = new ArrayList<>();
        try (PinnedPool pool = PinnedPool.open(memory, 64, 3)) {
            for (int thread = 0; thread < threads; thread++) {
                Random random = new Random(seed * 1000 + thread);
                CompletableFuture<@Nullable Void> run = new CompletableFuture<>();
                runs.add(run);
                Thread.ofPlatform().daemon().start(() -> {
                    try {
                        for (int i = 0; i < 2000; i++) {
                            useOnce(pool, random.nextLong(), random.nextInt(4));
                            done.incrementAndGet();
                        }
                        run.complete(null);
                    } catch (InterruptedException | RuntimeException | AssertionError e) {
                        run.completeExceptionally(e);
                    }
                });
            }
            for (CompletableFuture<@Nullable Void> run : runs) {
                run.get(15, TimeUnit.SECONDS);
            }
            assertThat(done.get()).isEqualTo(threads * 2000);
            assertThat(pool.leased()).isZero();
        }
        assertThat(memory.slabs).isEmpty();
    }

    private static void useOnce(PinnedPool pool, long mark, int extraHolders) throws InterruptedException {
        PinnedLease lease = pool.lease(Duration.ofSeconds(10));
        for (int i = 0; i < extraHolders; i++) {
            lease.retain();
        }
        ByteBuffer slot = lease.buffer();
        slot.putLong(0, mark).putLong(56, ~mark);
        for (int i = 0; i < 100; i++) {
            Thread.onSpinWait();
        }
        if (slot.getLong(0) != mark || slot.getLong(56) != ~mark) {
            throw new AssertionError("two leases show one slot");
        }
        for (int i = 0; i <= extraHolders; i++) {
            lease.release();
        }
    }
}
