package io.kvern.bench.inner;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Crc32c;
import io.kvern.model.Namespace;
import io.kvern.model.PublishId;
import io.kvern.model.WriteMode;
import io.kvern.store.BlockInfo;
import io.kvern.store.BlockStore;
import io.kvern.store.BlockStores;
import io.kvern.store.PartitionHandle;
import io.kvern.store.PartitionRef;
import io.kvern.store.StoreConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A store of many small blocks in a directory of its own, synced, which goes when it is closed. */
final class FilledStore implements AutoCloseable {
    /** Where stores are made; the system's directory for temporary files where it is not set. */
    static final String DIRECTORY_PROPERTY = "kvern.bench.inner.dir";

    private static final int BLOCK_BYTES = 64;
    private static final int HASH_BYTES = 32;
    private static final long CAPACITY = 1L << 30;
    private static final Namespace NAMESPACE = Namespace.opaque("bench");
    private static final Duration DEADLINE = Duration.ofMinutes(1);

    private final Path directory;
    private final BlockStore store;
    private final BlockKey[] stored;
    private final BlockKey[] absent;

    private FilledStore(Path directory, int blocks) {
        this.directory = directory;
        this.stored = keys(blocks, 1);
        this.absent = keys(blocks, 2);
        this.store = BlockStores.open(
                new StoreConfig(directory, CAPACITY, 1, 0, 64 << 20, 1 << 20, 1 << 30, Duration.ofHours(1), 64 << 20));
        fill(store.attach(new PartitionRef(new UUID(1, 2), 0, 1)));
        store.sync(DEADLINE);
    }

    /** @throws UncheckedIOException if the directory cannot be made */
    static FilledStore create(int blocks) {
        try {
            Path parent = Path.of(System.getProperty(DIRECTORY_PROPERTY, System.getProperty("java.io.tmpdir", ".")));
            return new FilledStore(Files.createTempDirectory(parent, "kvern-inner"), blocks);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BlockKey[] keys(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] hash = new byte[HASH_BYTES];
        BlockKey[] keys = new BlockKey[count];
        for (int i = 0; i < count; i++) {
            random.nextBytes(hash);
            keys[i] = NAMESPACE.key(BlockId.of(hash, 0, 1, 0));
        }
        return keys;
    }

    private void fill(PartitionHandle partition) {
        ByteBuffer payload = Payloads.direct(BLOCK_BYTES);
        int crc = Crc32c.of(payload);
        for (int i = 0; i < stored.length; i++) {
            ChunkHeader header = new ChunkHeader(
                    new PublishId(1, 2, i),
                    0,
                    WriteMode.IF_ABSENT,
                    BLOCK_BYTES,
                    0,
                    BLOCK_BYTES,
                    crc,
                    crc,
                    List.of(),
                    null,
                    1,
                    0);
            partition.apply(stored[i], header, payload.duplicate(), i, 1);
        }
    }

    /** @param index 0 to the number of blocks less 1, here and below */
    @Nullable
    BlockInfo findStored(int index) {
        return store.find(stored[index]);
    }

    /** So many blocks behind each other, at once. */
    List<@Nullable BlockInfo> findRun(int first, int count) {
        List<BlockKey> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            keys.add(stored[(first + i) % stored.length]);
        }
        return store.findAll(keys);
    }

    @Nullable
    BlockInfo findAbsent(int index) {
        return store.find(absent[index]);
    }

    /** @throws UncheckedIOException if the directory cannot be removed */
    @Override
    public void close() {
        store.close();
        Trees.remove(directory);
    }
}
