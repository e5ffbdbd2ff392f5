package io.kvern.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.model.BlockKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything at once for a few seconds: writers of several partitions, readers, slow leases, verifying, removing, evicting,
 * expiring, detaching and attaching, syncing, and a close in the middle of it. Whatever is read is exact.
 */
@Timeout(120)
class ConcurrencyTest {
    private static final int PARTITIONS = 4;
    private static final int NAMES = 700;
    private static final long NANOS = Duration.ofMillis(Integer.getInteger("kvern.concurrency.millis", 3000))
            .toNanos();

    @TempDir
    private Path dir;

    private final long seed =
            Long.getLong("kvern.seed", ThreadLocalRandom.current().nextLong());
    private final ConcurrentLinkedQueue<Throwable> trouble = new ConcurrentLinkedQueue<>();
    private final AtomicLong loaded = new AtomicLong();
    private final AtomicLong leased = new AtomicLong();
    private final AtomicLong stored = new AtomicLong();
    private final AtomicLong reattached = new AtomicLong();
    private volatile boolean stop;
    private BlockStore store;

    /** Names of each partition, and a block per name and version. */
    private final List<List<String>> names = new ArrayList<>();

    private final ConcurrentHashMap<String, TestBlock> made = new ConcurrentHashMap<>();

    private interface Work {
        void step(SplittableRandom random) throws Exception;
    }

    private Thread work(String name, int number, boolean untilStopped, Work work) {
        SplittableRandom random = new SplittableRandom(seed + number);
        return Thread.ofPlatform().name(name + number).start(() -> {
            try {
                do {
                    work.step(random);
                } while (untilStopped && !stop);
            } catch (Throwable e) {
                trouble.add(new AssertionError(name + number, e));
            }
        });
    }

    @BeforeEach
    void open() {
        store = openStore();
    }

    private BlockStore openStore() {
        return BlockStores.open(
                new StoreConfig(dir, 24 << 20, 0.8, 0, 1 << 20, 4 << 20, 512 << 10, Duration.ofMillis(10), 2 << 20));
    }

    /** Bytes follow from name and version, lengths from the name. */
    private TestBlock block(String name, int version) {
        return made.computeIfAbsent(name + "/" + version, key -> {
            int hash = name.hashCode() * 31;
            int length = 1 + Math.floorMod(hash, hash % 3 == 0 ? 2000 : 60_000);
            TestBlock block = TestBlock.of(name, length);
            return version == 0 ? block : block.set(version);
        });
    }

    @Test
    void whateverIsReadIsExactAndNothingHangs() throws Exception {
        System.out.println("ConcurrencyTest -Dkvern.seed=" + seed);
        for (int p = 0; p < PARTITIONS; p++) {
            names.add(new ArrayList<>());
        }
        for (int i = 0; i < NAMES; i++) {
            String name = "k" + i;
            names.get(TestBlock.key(name).slot() * PARTITIONS / 16384).add(name);
        }
        List<Thread> threads = new ArrayList<>();
        List<Writer> writers = new ArrayList<>();
        for (int p = 0; p < PARTITIONS; p++) {
            Writer writer = new Writer(p);
            writers.add(writer);
            threads.add(work("writer", p, true, writer::step));
        }
        threads.add(work("reader", 10, true, this::read));
        threads.add(work("reader", 11, true, this::read));
        threads.add(work("leaser", 12, true, this::lease));
        threads.add(work("syncer", 13, true, random -> {
            store.sync(Duration.ofSeconds(60));
            store.verify(randomKey(random));
            assertThat(store.stats().diskBytes()).isPositive();
        }));
        long end = System.nanoTime() + NANOS;
        TestStore.await("enough happened", () -> !trouble.isEmpty() || System.nanoTime() > end);
        stop = true;
        join(threads);
        assertNoTrouble();
        StoreStats stats = store.stats();
        System.out.printf(
                "%d stored, %d loaded, %d leased, %d attached again, %s%n",
                stored.get(), loaded.get(), leased.get(), reattached.get(), stats);
        assertThat(stored.get()).isPositive();
        assertThat(loaded.get()).isPositive();
        assertThat(stats.corrupt()).isZero();
        assertThat(stats.readErrors()).isZero();
        assertThat(stats.syncFailures()).isZero();
        assertThat(stats.evictedSegments()).isPositive();

        // What is counted is what stands, and stays so.
        writers.forEach(Writer::finish);
        store.sync(Duration.ofSeconds(60));
        TestStore.await("eviction rests", () -> store.stats().diskBytes() <= 22 << 20);
        store.close();
        store = openStore();
        for (int p = 0; p < PARTITIONS; p++) {
            store.attach(new PartitionRef(TestLog.TOPIC, p, PARTITIONS));
        }
        long standing = 0;
        for (int i = 0; i < NAMES; i++) {
            standing += readExactly("k" + i) ? 1 : 0;
        }
        assertThat(store.stats().blocks()).isEqualTo(standing);
        closeUnderLoad();
    }

    /** Closing waits for nobody, and nobody reads anything wrong or hangs. */
    private void closeUnderLoad() throws InterruptedException {
        stop = false;
        List<Thread> threads = new ArrayList<>();
        for (int n = 20; n < 23; n++) {
            threads.add(work("late reader", n, true, random -> {
                try {
                    read(random);
                } catch (StoreFailedException e) {
                    // It is closed.
                }
            }));
        }
        threads.add(work("late leaser", 23, true, random -> {
            try {
                lease(random);
            } catch (StoreFailedException e) {
                // It is closed.
            }
        }));
        long before = loaded.get();
        TestStore.await("they read", () -> !trouble.isEmpty() || loaded.get() > before + 20);
        store.close();
        stop = true;
        join(threads);
        assertNoTrouble();
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            if (!thread.join(Duration.ofSeconds(60))) {
                AssertionError hangs = new AssertionError(thread.getName() + " hangs");
                hangs.setStackTrace(thread.getStackTrace());
                throw hangs;
            }
        }
    }

    private void assertNoTrouble() {
        if (!trouble.isEmpty()) {
            AssertionError first = new AssertionError("seed " + seed, trouble.peek());
            trouble.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    private BlockKey randomKey(SplittableRandom random) {
        return TestBlock.key("k" + random.nextInt(NAMES));
    }

    private void read(SplittableRandom random) {
        if (readExactly("k" + random.nextInt(NAMES))) {
            loaded.incrementAndGet();
        }
    }

    private boolean readExactly(String name) {
        ByteBuffer into = ByteBuffer.allocateDirect(60_000);
        return switch (store.readInto(TestBlock.key(name), into)) {
            case ReadResult.Absent _ -> false;
            case ReadResult.Loaded read -> {
                byte[] bytes = new byte[into.flip().remaining()];
                into.get(bytes);
                requireKnown(name, bytes);
                assertThat(bytes).hasSize(read.info().length());
                yield true;
            }
            case ReadResult other -> throw new AssertionError(name + ": " + other);
        };
    }

    private void requireKnown(String name, byte[] bytes) {
        for (int version = 0; version < 3; version++) {
            if (Arrays.equals(bytes, block(name, version).bytes())) {
                return;
            }
        }
        throw new AssertionError(name + " has bytes that nobody wrote");
    }

    /** As a server does that sends a block in pieces to a slow client. */
    private void lease(SplittableRandom random) throws IOException {
        String name = "k" + random.nextInt(NAMES);
        try (BlockLease lease = store.open(TestBlock.key(name))) {
            if (lease != null) {
                ByteBuffer into = ByteBuffer.allocate(lease.info().length());
                while (into.hasRemaining()) {
                    int piece = Math.min(into.remaining(), 1 + random.nextInt(40_000));
                    lease.read(into.position(), into.slice(into.position(), piece));
                    into.position(into.position() + piece);
                    Thread.onSpinWait();
                }
                requireKnown(name, into.array());
                leased.incrementAndGet();
            }
        }
    }

    /** Feeds one partition: whole and interleaved blocks, removals, and now and then it loses its partition. */
    private final class Writer {
        private final int partition;
        private final List<Runnable> open = new ArrayList<>();
        private PartitionHandle handle;
        private long publications;

        Writer(int partition) {
            this.partition = partition;
            this.handle = attach();
        }

        private PartitionHandle attach() {
            return store.attach(new PartitionRef(TestLog.TOPIC, partition, PARTITIONS));
        }

        void finish() {
            handle.close();
        }

        void step(SplittableRandom random) {
            String name =
                    names.get(partition).get(random.nextInt(names.get(partition).size()));
            int what = random.nextInt(100);
            if (what < 3) {
                handle.remove(TestBlock.key(name), handle.applied() + 1);
            } else if (what < 4) {
                handle.close();
                open.clear();
                handle = attach();
                reattached.incrementAndGet();
            } else if (what < 6) {
                handle.skip(handle.applied() + 1);
            } else {
                write(block(name, random.nextInt(3)).again(++publications), random);
            }
        }

        private void write(TestBlock block, SplittableRandom random) {
            int length = block.length();
            if (length < 10 || random.nextInt(3) == 0) {
                count(block.applyWhole(handle, handle.applied() + 1));
                return;
            }
            int half = length / 2;
            count(block.applyChunk(handle, half, length - half, handle.applied() + 1));
            if (random.nextInt(10) != 0) {
                open.add(() -> count(block.applyChunk(handle, 0, half, handle.applied() + 1)));
            }
            if (open.size() > 3) {
                open.remove(random.nextInt(open.size())).run();
            }
        }

        private void count(ApplyResult result) {
            if (result == ApplyResult.STORED) {
                stored.incrementAndGet();
            }
        }
    }
}
