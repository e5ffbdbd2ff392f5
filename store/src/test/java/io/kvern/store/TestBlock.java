package io.kvern.store;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Crc32c;
import io.kvern.model.Namespace;
import io.kvern.model.PublishId;
import io.kvern.model.WriteMode;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A block whose bytes follow from its identity and version.
 *
 * @param publication tells two publications of the same bytes apart
 */
record TestBlock(String name, int length, int version, WriteMode mode, long publication) {
    private static final Namespace NAMESPACE = Namespace.opaque("test");
    private static final Map<Content, SoftReference<byte[]>> CACHE = new ConcurrentHashMap<>();

    private record Content(String name, int length, int version) {}

    static TestBlock of(String name, int length) {
        return new TestBlock(name, length, 0, WriteMode.IF_ABSENT, name.hashCode());
    }

    TestBlock set(int newVersion) {
        return new TestBlock(name, length, newVersion, WriteMode.SET, publication * 31 + newVersion);
    }

    TestBlock again(long other) {
        return new TestBlock(name, length, version, mode, other);
    }

    static BlockKey key(String name) {
        return NAMESPACE.key(BlockId.of(name));
    }

    BlockKey key() {
        return key(name);
    }

    /** The same array each time, while memory lasts: not to be changed. */
    byte[] bytes() {
        Content content = new Content(name, length, version);
        SoftReference<byte[]> known = CACHE.get(content);
        byte[] bytes = known == null ? null : known.get();
        if (bytes == null) {
            bytes = new byte[length];
            new SplittableRandom(name.hashCode() * 1_000_003L + version * 31L + length).nextBytes(bytes);
            CACHE.put(content, new SoftReference<>(bytes));
        }
        return bytes;
    }

    ChunkHeader header(int offset, int chunkLength) {
        byte[] bytes = bytes();
        return new ChunkHeader(
                new PublishId(7, 7, publication),
                0,
                mode,
                length,
                offset,
                chunkLength,
                Crc32c.of(ByteBuffer.wrap(bytes)),
                Crc32c.of(ByteBuffer.wrap(bytes, offset, chunkLength)),
                List.of(),
                null,
                0,
                0);
    }

    static ChunkHeader withBlockCrc(ChunkHeader header, int blockCrc) {
        return new ChunkHeader(
                header.publishId(),
                header.epoch(),
                header.mode(),
                header.totalLength(),
                header.offset(),
                header.length(),
                blockCrc,
                header.chunkCrc(),
                header.components(),
                header.parentId(),
                header.createdAtMillis(),
                header.expiresAtMillis());
    }

    ByteBuffer chunk(int offset, int chunkLength) {
        return ByteBuffer.wrap(bytes(), offset, chunkLength).slice();
    }

    ApplyResult applyWhole(PartitionHandle to, long logOffset) {
        return applyChunk(to, 0, length, logOffset);
    }

    ApplyResult applyChunk(PartitionHandle to, int offset, int chunkLength, long logOffset) {
        return to.apply(key(), header(offset, chunkLength), chunk(offset, chunkLength), logOffset, logOffset);
    }
}
