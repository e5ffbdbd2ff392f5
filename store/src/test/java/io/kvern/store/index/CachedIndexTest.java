package io.kvern.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.Namespace;
import io.kvern.model.WriteMode;
import io.kvern.store.rocks.RocksIndex;
import io.kvern.store.segment.BlockLocation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over the real index: whoever looks after a batch was written sees it. */
class CachedIndexTest {
    private static final int KEYS = 8;

    @TempDir
    private Path dir;

    private BlockIndex rocks;
    private BlockIndex index;

    @BeforeEach
    void open() {
        rocks = RocksIndex.open(dir.resolve("index"), 8 << 20);
        index = new CachedIndex(rocks, 1 << 20);
    }

    @AfterEach
    void close() {
        index.close();
    }

    private static BlockKey key(int number) {
        return Namespace.opaque("test").key(BlockId.of("block-" + number));
    }

    private static BlockLocation location(long version) {
        return new BlockLocation(version, 64, 100, 7, WriteMode.SET, 0, version, List.of());
    }

    private static void put(BlockIndex index, int number, long version) {
        try (BlockIndex.Batch batch = index.newBatch()) {
            batch.put(key(number), location(version));
            batch.write(false);
        }
    }

    private static void delete(BlockIndex index, int number) {
        try (BlockIndex.Batch batch = index.newBatch()) {
            batch.delete(key(number));
            batch.write(false);
        }
    }

    @Test
    void answersWhatWasWrittenLast() {
        assertThat(index.get(key(1))).isNull();
        put(index, 1, 1);
        assertThat(index.get(key(1))).isEqualTo(location(1));
        put(index, 1, 2);
        assertThat(index.get(key(1))).isEqualTo(location(2));
        assertThat(index.getAll(List.of(key(1), key(2), key(1)))).containsExactly(location(2), null, location(2));
        delete(index, 1);
        assertThat(index.get(key(1))).isNull();
    }

    @Test
    void keepsNothingOfABatchThatWasNotWritten() {
        put(index, 1, 1);
        try (BlockIndex.Batch batch = index.newBatch()) {
            batch.put(key(1), location(2));
        }
        assertThat(index.get(key(1))).isEqualTo(location(1));
    }

    /** The reader has the old location in its hand while the batch is written. */
    @Test
    void aReaderThatLookedBeforeTheWriteLeavesNothingBehind() throws Exception {
        put(rocks, 1, 1);
        CountDownLatch looked = new CountDownLatch(1);
        CountDownLatch written = new CountDownLatch(1);
        BlockIndex cached = new CachedIndex(
                new Watched(rocks, () -> {
                    looked.countDown();
                    await(written);
                }),
                1 << 20);
        CompletableFuture<@Nullable BlockLocation> reader = CompletableFuture.supplyAsync(() -> cached.get(key(1)));
        await(looked);

        put(cached, 1, 2);
        written.countDown();

        assertThat(reader.get(10, TimeUnit.SECONDS)).isEqualTo(location(1));
        assertThat(cached.get(key(1))).isEqualTo(location(2));
    }

    @Test
    void readersNeverGoBack() throws Exception {
        AtomicLongArray writtenVersions = new AtomicLongArray(KEYS);
        AtomicBoolean done = new AtomicBoolean();
        List<CompletableFuture<Long>> readers = new ArrayList<>();
        for (int r = 0; r < 3; r++) {
            readers.add(CompletableFuture.supplyAsync(() -> readUntil(done, writtenVersions)));
        }
        for (long version = 1; version <= 3000; version++) {
            int number = (int) (version % KEYS);
            put(index, number, version);
            writtenVersions.set(number, version);
        }
        done.set(true);
        for (CompletableFuture<Long> reader : readers) {
            assertThat(reader.get(30, TimeUnit.SECONDS)).isPositive();
        }
    }

    private long readUntil(AtomicBoolean done, AtomicLongArray written) {
        long reads = 0;
        while (!done.get() || reads == 0) {
            int number = (int) (reads++ % KEYS);
            long atLeast = written.get(number);
            BlockLocation found = index.get(key(number));
            if (atLeast > 0) {
                assertThat(found).isNotNull();
                assertThat(found == null ? -1 : found.logOffset()).isGreaterThanOrEqualTo(atLeast);
            }
        }
        return reads;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The real index, with something to do between a look and its answer, once. */
    private static final class Watched implements BlockIndex {
        private final BlockIndex index;
        private final Runnable afterLook;
        private final AtomicBoolean first = new AtomicBoolean(true);

        Watched(BlockIndex index, Runnable afterLook) {
            this.index = index;
            this.afterLook = afterLook;
        }

        @Override
        public @Nullable BlockLocation get(BlockKey key) {
            BlockLocation found = index.get(key);
            if (first.getAndSet(false)) {
                afterLook.run();
            }
            return found;
        }

        @Override
        public List<@Nullable BlockLocation> getAll(List<BlockKey> keys) {
            return index.getAll(keys);
        }

        @Override
        public void forEach(int firstSlot, int lastSlot, BiConsumer<BlockKey, BlockLocation> action) {
            index.forEach(firstSlot, lastSlot, action);
        }

        @Override
        public Meta meta() {
            return index.meta();
        }

        @Override
        public Batch newBatch() {
            return index.newBatch();
        }

        @Override
        public long diskBytes() {
            return index.diskBytes();
        }

        @Override
        public void close() {
            index.close();
        }
    }
}
