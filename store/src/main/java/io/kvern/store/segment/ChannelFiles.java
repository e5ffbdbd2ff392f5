package io.kvern.store.segment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** Segment files on the real file system. */
public final class ChannelFiles implements SegmentFiles {
    private static final Set<StandardOpenOption> READ = Set.of(StandardOpenOption.READ);
    private static final Set<StandardOpenOption> WRITE = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final Set<StandardOpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);

    @Override
    public SegmentFile create(Path path) throws IOException {
        return new ChannelFile(path, NEW, WRITE);
    }

    @Override
    public SegmentFile open(Path path) throws IOException {
        return new ChannelFile(path, READ, READ);
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
}
