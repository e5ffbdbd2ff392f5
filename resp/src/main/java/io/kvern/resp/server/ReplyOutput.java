package io.kvern.resp.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The way from a command's thread to the socket. Small replies are gathered; a writer waits once {@value #HIGH_BYTES} bytes
 * are on their way, so that a slow reader holds no more than that and the piece being written. Whoever closes the channel,
 * the reply timeout above all, ends the wait.
 */
final class ReplyOutput {
    private static final int GATHERED_BYTES = 16 << 10;
    private static final int SLICE_BYTES = 256 << 10;
    private static final int HIGH_BYTES = 1 << 20;
    private static final int LOW_BYTES = 512 << 10;

    private static final ByteBuf CRLF = Unpooled.unreleasableBuffer(
            Unpooled.directBuffer(2).writeByte('\r').writeByte('\n').asReadOnly());

    private final Channel channel;
    private final Counters counters;
    private final AtomicLong pending = new AtomicLong();
    private final Object drained = new Object();
    private volatile long lastProgressNanos = System.nanoTime();
    private @Nullable ByteBuf gathered;

    ReplyOutput(Channel channel, Counters counters) {
        this.channel = channel;
        this.counters = counters;
    }

    /** A buffer to append up to {@code bytes} to; it goes out with the next flush, or when it is full. Command's thread. */
    ByteBuf room(int bytes) {
        ByteBuf current = gathered;
        if (current != null && current.maxWritableBytes() >= bytes) {
            return current;
        }
        flush();
        ByteBuf fresh = channel.alloc().directBuffer(Math.max(bytes, 1024), Math.max(bytes, GATHERED_BYTES));
        gathered = fresh;
        return fresh;
    }

    /** Copies {@code bytes} out; the caller keeps them. Command's thread. */
    void copy(ByteBuffer bytes) {
        ByteBuffer rest = bytes.duplicate();
        while (rest.hasRemaining()) {
            ByteBuf room = room(1);
            int count = Math.min(rest.remaining(), room.maxWritableBytes());
            room.writeBytes(rest.slice(rest.position(), count));
            rest.position(rest.position() + count);
        }
    }

    /**
     * Hands {@code owned} over, in slices, behind what is gathered, and releases it when they are out. Command's thread.
     *
     * @param flush whether to send it now, or with what follows
     */
    void write(ByteBuf owned, boolean flush) {
        try {
            ByteBuf current = takeGathered();
            if (current != null) {
                handOver(current, false);
            }
            while (owned.isReadable()) {
                ByteBuf slice = owned.readRetainedSlice(Math.min(owned.readableBytes(), SLICE_BYTES));
                handOver(slice, flush && !owned.isReadable());
            }
        } finally {
            owned.release();
        }
    }

    /** Ends a bulk string, and sends it: in one call of the system where it was handed over without a flush. */
    void endBulk() {
        handOver(CRLF.retainedDuplicate(), true);
    }

    /** Sends what is gathered. Command's thread. */
    void flush() {
        ByteBuf current = takeGathered();
        if (current != null) {
            handOver(current, true);
        }
    }

    private @Nullable ByteBuf takeGathered() {
        ByteBuf current = gathered;
        gathered = null;
        return current;
    }

    /** Drops what is gathered. Command's thread. */
    void discard() {
        ByteBuf current = takeGathered();
        if (current != null) {
            current.release();
        }
    }

    /** Bytes handed over and not taken by the client's side of the socket. Any thread. */
    long pending() {
        return pending.get();
    }

    /** When the socket last took something, or began to be asked for it. Any thread. */
    long lastProgressNanos() {
        return lastProgressNanos;
    }

    /** Ends the wait of a writer, which finds the channel closed. Any thread. */
    void wake() {
        synchronized (drained) {
            drained.notifyAll();
        }
    }

    /** Without a flush the event loop is not woken, which costs a call of the system, and a switch of threads. */
    private void handOver(ByteBuf owned, boolean flush) {
        int bytes = owned.readableBytes();
        try {
            awaitRoom();
        } catch (OutputClosedException e) {
            owned.release();
            throw e;
        }
        if (pending.getAndAdd(bytes) == 0) {
            lastProgressNanos = System.nanoTime();
        }
        // The promise completes when the last byte is in the socket, or never will be.
        ChannelFuture written = flush ? channel.writeAndFlush(owned) : channel.write(owned);
        var _ = written.addListener(sent -> {
            lastProgressNanos = System.nanoTime();
            if (sent.isSuccess()) {
                counters.bytesOut.add(bytes);
            }
            long rest = pending.addAndGet(-bytes);
            if (rest <= LOW_BYTES && rest + bytes > LOW_BYTES) {
                wake();
            }
        });
    }

    private void awaitRoom() {
        if (pending.get() >= HIGH_BYTES) {
            // What is waited for must be on its way.
            channel.flush();
            synchronized (drained) {
                while (pending.get() > LOW_BYTES && channel.isActive()) {
                    try {
                        drained.wait(1000);
                    } catch (InterruptedException e) {
                        // Not passed on: in this thread it would close the files that later commands read.
                        throw new OutputClosedException();
                    }
                }
            }
        }
        if (!channel.isActive()) {
            throw new OutputClosedException();
        }
    }
}
