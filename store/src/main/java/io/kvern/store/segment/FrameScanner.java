package io.kvern.store.segment;

import io.kvern.model.BlockKey;
import io.kvern.model.Crc32c;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads a segment's log frame by frame. It ends at the first frame that is torn or damaged: whatever stands behind was never
 * acknowledged, or is found missing by the lengths that sync points record.
 */
public final class FrameScanner implements AutoCloseable {
    /** No frame is larger: a resume frame of 16384 partitions and many logs stays far below. */
    private static final int MAX_BODY = 16 << 20;

    private final SegmentFile file;
    private final long end;
    private ByteBuffer window = ByteBuffer.allocate(256 << 10).limit(0);
    private long windowStart;
    private long position;

    /**
     * @param file closed with the scanner
     * @param from where to begin, at the end of a frame or of the header
     */
    FrameScanner(SegmentFile file, long from) throws IOException {
        this.file = file;
        this.position = from;
        this.windowStart = from;
        this.end = file.size();
    }

    /** The next frame, or null at the end of what is intact. */
    public Frame.@Nullable At next() throws IOException {
        if (!fill(FrameWriter.HEADER_BYTES)) {
            return null;
        }
        int at = (int) (position - windowStart);
        int bodyBytes = window.getInt(at);
        int crc = window.getInt(at + 4);
        if (bodyBytes < 1 + Long.BYTES || bodyBytes > MAX_BODY || !fill(FrameWriter.HEADER_BYTES + bodyBytes)) {
            return null;
        }
        at = (int) (position - windowStart);
        ByteBuffer body = window.slice(at + FrameWriter.HEADER_BYTES, bodyBytes);
        if (Crc32c.of(body) != crc) {
            return null;
        }
        Frame.At frame = decode(body, position + FrameWriter.HEADER_BYTES + bodyBytes);
        if (frame != null) {
            position = frame.end();
        }
        return frame;
    }

    /** Where the last frame read ends. */
    public long position() {
        return position;
    }

    private static Frame.@Nullable At decode(ByteBuffer body, long end) {
        try {
            byte type = body.get();
            long sync = body.getLong();
            Frame frame = switch (type) {
                case FrameWriter.PUT -> new Frame.Put(key(body), LocationCodec.read(body));
                case FrameWriter.REMOVE -> {
                    long before = body.getLong();
                    yield new Frame.Remove(key(body), before);
                }
                case FrameWriter.EVICTED -> new Frame.Evicted(body.getLong());
                case FrameWriter.RESUME -> resume(body);
                default -> null;
            };
            return frame == null ? null : new Frame.At(sync, frame, end);
        } catch (RuntimeException e) {
            // The sum was right and the content is not: written by something else. As good as damaged.
            return null;
        }
    }

    private static BlockKey key(ByteBuffer body) {
        byte[] key = new byte[body.getShort()];
        body.get(key);
        return BlockKey.decode(key);
    }

    private static Frame.Resume resume(ByteBuffer body) {
        UUID topic = new UUID(body.getLong(), body.getLong());
        int partitions = body.getInt();
        Map<Integer, Long> offsets = new HashMap<>();
        for (int n = body.getInt(); n > 0; n--) {
            int partition = body.getInt();
            offsets.put(partition, body.getLong());
        }
        Map<Long, Long> lengths = new HashMap<>();
        for (int m = body.getInt(); m > 0; m--) {
            long segment = body.getLong();
            lengths.put(segment, body.getLong());
        }
        return new Frame.Resume(topic, partitions, offsets, lengths);
    }

    /** Makes {@code bytes} from the position on stand in the window; false where the file ends before. */
    private boolean fill(int bytes) throws IOException {
        if (position + bytes > end) {
            return false;
        }
        if (position + bytes <= windowStart + window.limit()) {
            return true;
        }
        ByteBuffer next = bytes > window.capacity() ? ByteBuffer.allocate(bytes) : window;
        next.clear();
        next.limit((int) Math.min(next.capacity(), end - position));
        long at = position;
        while (next.hasRemaining()) {
            int read = file.read(next, at);
            if (read < 0) {
                break;
            }
            at += read;
        }
        window = next.flip();
        windowStart = position;
        return window.limit() >= bytes;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
