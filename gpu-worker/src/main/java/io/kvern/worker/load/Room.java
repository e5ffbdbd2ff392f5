package io.kvern.worker.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import java.util.zip.CRC32C;

/**
 * The caller's memory for one block. This is the only class that writes to it, always under its monitor and only until
 * {@link #shut()}: whoever has shut it knows that no byte changes any more, whatever a socket still delivers. A monitor is
 * held for one non-blocking read of at most {@value #READ_BYTES} bytes.
 */
public final class Room {
    /** What {@link #receive} answers once the room is shut. */
    static final int SHUT = -2;

    /** Bytes per read: what was read is still in the core's cache when its CRC is taken. */
    public static final int READ_BYTES = 128 << 10;

    private final ByteBuffer bytes;
    private final CRC32C crc = new CRC32C();
    private int length;
    private volatile boolean shut;

    /** Takes position to limit of {@code destination}, whose own position stays. */
    public Room(ByteBuffer destination) {
        this.bytes = destination.slice();
    }

    /** In bytes. */
    public int capacity() {
        return bytes.capacity();
    }

    /**
     * Starts over with a block of {@code blockLength} bytes, at most the capacity.
     *
     * @return false where the room is shut
     */
    public synchronized boolean begin(int blockLength) {
        length = blockLength;
        bytes.clear();
        crc.reset();
        return !shut;
    }

    /**
     * Takes what {@code in} has, up to the block's end.
     *
     * @return false where the room is shut; nothing was taken
     */
    public synchronized boolean take(ByteBuffer in) {
        if (shut) {
            return false;
        }
        int count = Math.min(length - bytes.position(), in.remaining());
        int from = bytes.position();
        bytes.put(from, in, in.position(), count);
        in.position(in.position() + count);
        sum(from, from + count);
        return true;
    }

    /**
     * One read of the channel into the room; what comes behind the block's end goes to {@code beyond}.
     *
     * @return bytes read, 0 where there are none now, -1 at the stream's end, or {@link #SHUT}
     */
    synchronized long receive(ScatteringByteChannel channel, ByteBuffer beyond) throws IOException {
        if (shut) {
            return SHUT;
        }
        int from = bytes.position();
        bytes.limit(Math.min(length, from + READ_BYTES));
        try {
            long count = bytes.limit() == length ? channel.read(new ByteBuffer[] {bytes, beyond}) : channel.read(bytes);
            sum(from, bytes.position());
            return count;
        } finally {
            bytes.limit(bytes.capacity());
        }
    }

    private void sum(int from, int to) {
        int limit = bytes.limit();
        crc.update(bytes.position(from).limit(to));
        bytes.limit(limit);
    }

    synchronized boolean complete() {
        return bytes.position() == length;
    }

    /** CRC32C of the bytes so far. */
    public synchronized long crc() {
        return crc.getValue();
    }

    /** From here on no byte of the room changes. */
    public void shut() {
        // First for those who come next, so that a lane that reads and reads lets go; then past the one that is inside.
        shut = true;
        synchronized (this) {
            crc.reset();
        }
    }

    boolean isShut() {
        return shut;
    }
}
