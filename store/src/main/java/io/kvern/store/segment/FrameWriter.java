package io.kvern.store.segment;

import io.kvern.model.BlockKey;
import io.kvern.model.Crc32c;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Gathers the frames of one sync point for one log. Big-endian.
 *
 * <pre>
 *  0          4          8      9        17
 *  +----------+----------+------+--------+-----------------------------------------------+
 *  | length   | CRC-32C  | type | sync   | by type                                       |
 *  | of body  | of body  | u8   | i64    |                                               |
 *  +----------+----------+------+--------+-----------------------------------------------+
 *                        |<------------------------ body ------------------------------->|
 *
 *  1 put       key length u16, key, location (see LocationCodec)
 *  2 remove    before i64, key length u16, key
 *  3 evicted   segment i64
 *  4 resume    topic id 16 bytes, partitions u32,
 *              n: u32, n x (partition u32, offset i64), m: u32, m x (segment i64, log length i64)
 * </pre>
 */
public final class FrameWriter {
    static final int HEADER_BYTES = 8;
    static final byte PUT = 1;
    static final byte REMOVE = 2;
    static final byte EVICTED = 3;
    static final byte RESUME = 4;

    private final long sync;
    private ByteBuffer frames = ByteBuffer.allocate(4096);

    /** @param sync number of the sync point */
    public FrameWriter(long sync) {
        this.sync = sync;
    }

    public void add(Frame frame) {
        switch (frame) {
            case Frame.Put put -> put(put);
            case Frame.Remove remove ->
                write(REMOVE, 8 + 2 + remove.key().length(), body -> {
                    body.putLong(remove.before());
                    key(remove.key(), body);
                });
            case Frame.Evicted evicted -> write(EVICTED, 8, body -> body.putLong(evicted.segment()));
            case Frame.Resume resume -> resume(resume);
        }
    }

    private void put(Frame.Put put) {
        write(PUT, 2 + put.key().length() + LocationCodec.size(put.location()), body -> {
            key(put.key(), body);
            LocationCodec.write(put.location(), body);
        });
    }

    private void resume(Frame.Resume resume) {
        int size = 16
                + 4
                + 4
                + 12 * resume.offsets().size()
                + 4
                + 16 * resume.logLengths().size();
        write(RESUME, size, body -> {
            body.putLong(resume.topicId().getMostSignificantBits())
                    .putLong(resume.topicId().getLeastSignificantBits())
                    .putInt(resume.partitions());
            body.putInt(resume.offsets().size());
            resume.offsets()
                    .forEach((partition, offset) -> body.putInt(partition).putLong(offset));
            body.putInt(resume.logLengths().size());
            resume.logLengths()
                    .forEach((segment, length) -> body.putLong(segment).putLong(length));
        });
    }

    private static void key(BlockKey key, ByteBuffer body) {
        body.putShort((short) key.length());
        key.writeTo(body);
    }

    private void write(byte type, int size, Consumer<ByteBuffer> content) {
        int bodyBytes = 1 + Long.BYTES + size;
        reserve(HEADER_BYTES + bodyBytes);
        int header = frames.position();
        frames.position(header + HEADER_BYTES);
        frames.put(type).putLong(sync);
        content.accept(frames);
        ByteBuffer body = frames.duplicate().position(header + HEADER_BYTES).limit(header + HEADER_BYTES + bodyBytes);
        frames.putInt(header, bodyBytes).putInt(header + 4, Crc32c.of(body));
    }

    private void reserve(int bytes) {
        if (frames.remaining() < bytes) {
            int wanted = Math.max(frames.capacity() * 2, frames.position() + bytes);
            frames = ByteBuffer.allocate(wanted).put(frames.flip());
        }
    }

    public boolean isEmpty() {
        return frames.position() == 0;
    }

    /** All frames, ready to be written; the writer is spent. */
    public ByteBuffer frames() {
        return frames.flip();
    }
}
