package io.kvern.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A store with one partition attached, fed in log order; small enough to evict, synced only when told. */
final class TestStore implements AutoCloseable {
    static final PartitionRef PARTITION = new PartitionRef(TestLog.TOPIC, 0, 1);
    static final int CAPACITY = 64 << 20;

    final Path dir;
    final FaultyFiles files;
    final AtomicLong clock = new AtomicLong();
    StoreConfig config;
    BlockStore store;
    PartitionHandle partition;

    TestStore(Path dir) {
        this(dir, config(dir));
    }

    TestStore(Path dir, StoreConfig config) {
        this(dir, config, new FaultyFiles());
    }

    TestStore(Path dir, StoreConfig config, FaultyFiles files) {
        this.dir = dir;
        this.config = config;
        this.files = files;
        open();
    }

    static StoreConfig config(Path dir) {
        return new StoreConfig(dir, CAPACITY, 0.8, 0, 4 << 20, 32 << 20, 1 << 30, Duration.ofHours(1), 8 << 20);
    }

    StoreConfig withMinFree(long bytes) {
        return new StoreConfig(
                dir,
                config.capacityBytes(),
                config.capacityShare(),
                bytes,
                config.maxSegmentBytes(),
                config.maxBlockBytes(),
                config.syncBytes(),
                config.syncInterval(),
                config.indexCacheBytes());
    }

    void open() {
        store = BlockStores.open(config, files, clock::get);
        partition = store.attach(PARTITION);
    }

    void reopen() {
        store.close();
        open();
    }

    /** As a kill would: what is on disk now goes on in another directory. */
    TestStore crashedInto(Path other) throws IOException {
        files.copy(dir, other);
        return new TestStore(other, config(other));
    }

    void reattach() {
        partition.close();
        partition = store.attach(PARTITION);
    }

    long next() {
        return partition.applied() + 1;
    }

    ApplyResult put(TestBlock block) {
        return block.applyWhole(partition, next());
    }

    ApplyResult put(TestBlock block, int offset, int length) {
        return block.applyChunk(partition, offset, length, next());
    }

    boolean remove(TestBlock block) {
        return partition.remove(block.key(), next());
    }

    void sync() {
        store.sync(Duration.ofSeconds(60));
    }

    ReadResult readInto(TestBlock block, ByteBuffer into) {
        return store.readInto(block.key(), into);
    }

    /** Null where it is absent; fails where it can be neither loaded nor is absent. */
    byte @Nullable [] read(TestBlock block) {
        ByteBuffer into = ByteBuffer.allocateDirect(block.length());
        return switch (store.readInto(block.key(), into)) {
            case ReadResult.Absent _ -> null;
            case ReadResult.Loaded loaded -> {
                byte[] bytes = new byte[loaded.info().length()];
                into.flip().get(bytes);
                yield bytes;
            }
            case ReadResult other -> throw new AssertionError(block + ": " + other);
        };
    }

    /** Whether it stands, exactly. */
    boolean stands(TestBlock block) {
        byte[] bytes = read(block);
        if (bytes != null) {
            assertThat(Arrays.equals(bytes, block.bytes())).as(block.toString()).isTrue();
        }
        return bytes != null;
    }

    void assertStands(TestBlock... blocks) {
        for (TestBlock block : blocks) {
            assertThat(stands(block)).as(block.toString()).isTrue();
        }
    }

    void assertAbsent(TestBlock... blocks) {
        for (TestBlock block : blocks) {
            assertThat(store.find(block.key())).as(block.toString()).isNull();
            assertThat(stands(block)).as(block.toString()).isFalse();
        }
    }

    Path segment(long id, String kind) {
        return dir.resolve("segments").resolve("%016x.%s".formatted(id, kind));
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within 30 s: " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
