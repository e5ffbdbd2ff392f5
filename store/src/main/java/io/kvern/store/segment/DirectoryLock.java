package io.kvern.store.segment;

import io.kvern.model.InvalidInputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One process, one store per directory. The lock goes with the process, so a killed one leaves none behind.
 *
 * <p>To POSIX a lock ends when its process closes <em>any</em> descriptor of the file. So within the process the holders are
 * known by a map, and the file is never touched while it is held here.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final Map<Path, String> HELD_HERE = new ConcurrentHashMap<>();

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /** @throws InvalidInputException naming the holder, where the directory is in use */
    public static DirectoryLock take(Path directory) throws IOException {
        Path real = directory.toRealPath();
        String self = "process " + ProcessHandle.current().pid() + ", since " + Instant.now();
        String here = HELD_HERE.putIfAbsent(real, self);
        if (here != null) {
            throw inUse(directory, here);
        }
        boolean taken = false;
        try {
            FileChannel channel = lock(directory, real.resolve("LOCK"), self);
            taken = true;
            return new DirectoryLock(real, channel);
        } finally {
            if (!taken) {
                HELD_HERE.remove(real);
            }
        }
    }

    private static FileChannel lock(Path directory, Path file, String self) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw inUse(directory, holder(file));
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(self.getBytes(StandardCharsets.UTF_8)), 0);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static InvalidInputException inUse(Path directory, String holder) {
        return new InvalidInputException(
                "data directory %s is in use by %s (setting data.dir)".formatted(directory, holder));
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
        try {
            channel.close();
        } finally {
            HELD_HERE.remove(directory);
        }
    }
}
