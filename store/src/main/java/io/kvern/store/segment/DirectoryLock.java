package io.kvern.store.segment;

import io.kvern.model.InvalidInputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One process, one store per directory. The lock goes with the process, so a killed one leaves none behind. */
public final class DirectoryLock implements AutoCloseable {
    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /** @throws InvalidInputException naming the holder, where the directory is in use */
    public static DirectoryLock take(Path directory) throws IOException {
        Path file = directory.resolve("LOCK");
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (tryLock(channel) == null) {
                throw new InvalidInputException(
                        "data directory %s is in use by %s (setting data.dir)".formatted(directory, holder(file)));
            }
            String self = "process " + ProcessHandle.current().pid() + ", since " + Instant.now();
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(self.getBytes(StandardCharsets.UTF_8)), 0);
            return new DirectoryLock(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static String holder(Path file) {
        try {
            String text = Files.readString(file);
            return text.isBlank() ? "another process" : text;
        } catch (IOException e) {
            return "another process";
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
