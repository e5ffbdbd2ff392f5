package io.kvern.store.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Segment files on the real file system. */
public final class ChannelFiles implements SegmentFiles {
    @Override
    public SegmentFile create(Path path) throws IOException {
        return new ChannelFile(FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Override
    public SegmentFile open(Path path) throws IOException {
        return new ChannelFile(FileChannel.open(path, StandardOpenOption.READ));
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.deleteIfExists(path);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public long usableBytes(Path directory) throws IOException {
        return Files.getFileStore(directory).getUsableSpace();
    }

    private record ChannelFile(FileChannel channel) implements SegmentFile {
        /**
         * The JDK copies heap buffers through a direct one of the same size, which it keeps per thread; in slices of this
         * size that one stays small.
         */
        private static final int HEAP_SLICE = 1 << 20;

        @Override
        public int read(ByteBuffer to, long position) throws IOException {
            if (to.isDirect() || to.remaining() <= HEAP_SLICE) {
                return channel.read(to, position);
            }
            int limit = to.limit();
            try {
                return channel.read(to.limit(to.position() + HEAP_SLICE), position);
            } finally {
                to.limit(limit);
            }
        }

        @Override
        public void write(ByteBuffer from, long position) throws IOException {
            int limit = from.limit();
            long at = position;
            try {
                while (from.position() < limit) {
                    from.limit(from.isDirect() ? limit : Math.min(limit, from.position() + HEAP_SLICE));
                    at += channel.write(from, at);
                }
            } finally {
                from.limit(limit);
            }
        }

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
