package io.kvern.store.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;

/**
 * A file behind a channel. An interrupt closes the channel that its thread is using, for all threads: here it is opened again,
 * and the interrupt is handed on when the call is done. All calls are positional, so that doing one again is the same.
 */
final class ChannelFile implements SegmentFile {
    /**
     * The JDK copies heap buffers through a direct one of the same size, which it keeps per thread; in slices of this size
     * that one stays small.
     */
    private static final int HEAP_SLICE = 1 << 20;

    private final Path path;
    private final Set<? extends OpenOption> again;
    private volatile FileChannel channel;
    private volatile boolean closed;

    /** @param again how the file is opened when it was closed by an interrupt */
    ChannelFile(Path path, Set<? extends OpenOption> first, Set<? extends OpenOption> again) throws IOException {
        this.path = path;
        this.again = again;
        this.channel = FileChannel.open(path, first);
    }

    private interface Call<T> {
        T on(FileChannel channel) throws IOException;
    }

    private <T> T uninterrupted(Call<T> call) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                FileChannel now = channel;
                try {
                    return call.on(now);
                } catch (ClosedChannelException e) {
                    interrupted |= Thread.interrupted();
                    reopen(now, e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void reopen(FileChannel broken, ClosedChannelException cause) throws IOException {
        if (closed) {
            throw cause;
        }
        if (channel == broken) {
            channel = FileChannel.open(path, again);
        }
    }

    @Override
    public int read(ByteBuffer to, long position) throws IOException {
        int limit = to.limit();
        if (!to.isDirect() && to.remaining() > HEAP_SLICE) {
            to.limit(to.position() + HEAP_SLICE);
        }
        try {
            return uninterrupted(now -> now.read(to, position));
        } finally {
            to.limit(limit);
        }
    }

    @Override
    public void write(ByteBuffer from, long position) throws IOException {
        int limit = from.limit();
        long start = position - from.position();
        try {
            while (from.position() < limit) {
                from.limit(from.isDirect() ? limit : Math.min(limit, from.position() + HEAP_SLICE));
                uninterrupted(now -> now.write(from, start + from.position()));
            }
        } finally {
            from.limit(limit);
        }
    }

    @Override
    public void force() throws IOException {
        uninterrupted(now -> {
            now.force(false);
            return true;
        });
    }

    @Override
    public long size() throws IOException {
        return uninterrupted(FileChannel::size);
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        channel.close();
    }
}
