package io.kvern.broker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Holds a broker's directory for one broker. Kafka's own lock is taken only after its controller has begun to write to the
 * directory, which is too late. The file is left behind; only the operating system's lock counts, and it ends with the
 * process.
 */
final class DirectoryLock implements AutoCloseable {
    private static final String NAME = "broker.lock";

    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Makes the directory where it is absent, and locks it.
     *
     * @throws BrokerException if it cannot be written to, or another broker holds it
     */
    static DirectoryLock acquire(Path directory) {
        FileChannel channel;
        try {
            Files.createDirectories(directory);
            channel = FileChannel.open(
                    directory.resolve(NAME),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new BrokerException("data directory %s cannot be written to: %s".formatted(directory, e), e);
        }
        try {
            if (tryLock(channel) == null) {
                throw new BrokerException(
                        "data directory %s is in use by the broker of %s".formatted(directory, holder(channel)));
            }
            byte[] text = ("process " + ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(text), 0);
            return new DirectoryLock(channel);
        } catch (IOException | RuntimeException e) {
            closeAfter(channel, e);
            throw e instanceof BrokerException known
                    ? known
                    : new BrokerException("data directory %s cannot be locked: %s".formatted(directory, e), e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // held in this same JVM
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(64);
        channel.read(text, 0);
        return text.position() == 0
                ? "another process"
                : new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
    }

    private static void closeAfter(FileChannel channel, Exception reason) {
        try {
            channel.close();
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    /** Closing the channel releases the lock. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
