package io.kvern.store;

import io.kvern.store.segment.ChannelFiles;
import io.kvern.store.segment.SegmentFile;
import io.kvern.store.segment.SegmentFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The real file system behind a seam that can be told to fail, and that knows what has not been forced: what a power loss may
 * take.
 */
final class FaultyFiles implements SegmentFiles {
    enum Op {
        CREATE,
        OPEN,
        DELETE,
        READ,
        WRITE,
        FORCE,
        FORCE_DIRECTORY,
        USABLE_BYTES
    }

    /** Called around each operation; throws to make it fail. Any thread. */
    interface Fault {
        void at(Op op, Path path, boolean before) throws IOException;
    }

    /** Fails what matches, so many times. */
    record Times(Op op, String suffix, AtomicInteger left) implements Fault {
        Times(Op op, String suffix, int times) {
            this(op, suffix, new AtomicInteger(times));
        }

        @Override
        public void at(Op now, Path path, boolean before) throws IOException {
            if (before && now == op && path.toString().endsWith(suffix) && left.getAndDecrement() > 0) {
                throw new IOException("injected: " + op + " of " + path.getFileName());
            }
        }
    }

    private record Extent(long position, int length) {}

    private final SegmentFiles real = new ChannelFiles();
    private final Map<Path, List<Extent>> unforced = new HashMap<>();
    private final Set<Path> unforcedNames = new HashSet<>();
    volatile Fault fault = (op, path, before) -> {};

    /** Bytes that one read returns at most. */
    volatile int longestRead = Integer.MAX_VALUE;

    /** What the file system says it has free; null for the truth. */
    volatile @Nullable LongSupplier usable;

    private interface Action<T> {
        T run() throws IOException;
    }

    private <T> T around(Op op, Path path, Action<T> action) throws IOException {
        fault.at(op, path, true);
        T result = action.run();
        fault.at(op, path, false);
        return result;
    }

    @Override
    public SegmentFile create(Path path) throws IOException {
        return around(Op.CREATE, path, () -> {
            SegmentFile made = real.create(path);
            synchronized (this) {
                unforcedNames.add(path);
            }
            return new Watched(path, made);
        });
    }

    @Override
    public SegmentFile open(Path path) throws IOException {
        return around(Op.OPEN, path, () -> new Watched(path, real.open(path)));
    }

    @Override
    public void delete(Path path) throws IOException {
        around(Op.DELETE, path, () -> {
            real.delete(path);
            return true;
        });
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        around(Op.FORCE_DIRECTORY, directory, () -> {
            real.forceDirectory(directory);
            synchronized (this) {
                unforcedNames.removeIf(path -> directory.equals(path.getParent()));
            }
            return true;
        });
    }

    @Override
    public long usableBytes(Path directory) throws IOException {
        return around(Op.USABLE_BYTES, directory, () -> {
            LongSupplier told = usable;
            return told == null ? real.usableBytes(directory) : told.getAsLong();
        });
    }

    /** Copies the data directory as a kill would leave it. */
    synchronized void copy(Path from, Path to) throws IOException {
        copyTree(from, to);
    }

    /** Copies the data directory as a power loss may leave it: anything that was not forced is there, or not, or torn. */
    synchronized void copyAfterPowerLoss(Path from, Path to, SplittableRandom random) throws IOException {
        copyTree(from, to);
        for (Map.Entry<Path, List<Extent>> file : unforced.entrySet()) {
            Path copied = to.resolve(from.relativize(file.getKey()).toString());
            if (!Files.exists(copied)) {
                continue;
            }
            try (RandomAccessFile access = new RandomAccessFile(copied.toFile(), "rw")) {
                for (Extent extent : file.getValue()) {
                    if (random.nextBoolean()) {
                        int kept = random.nextInt(extent.length + 1);
                        access.seek(extent.position + kept);
                        access.write(new byte[extent.length - kept]);
                        if (random.nextInt(3) == 0 && access.length() == extent.position + extent.length) {
                            access.setLength(extent.position + kept);
                        }
                    }
                }
            }
        }
        for (Path path : unforcedNames) {
            if (random.nextBoolean()) {
                Files.deleteIfExists(to.resolve(from.relativize(path).toString()));
            }
        }
    }

    /**
     * Copies what stands at one moment. The index's own threads work on meanwhile and delete files, so a copy during which
     * anything changed is thrown away.
     */
    static void copyTree(Path from, Path to) throws IOException {
        for (int tries = 0; tries < 1000; tries++) {
            try {
                Map<Path, Long> before = sizes(from);
                for (Path path : before.keySet()) {
                    Path target = to.resolve(from.relativize(path).toString());
                    if (Files.isDirectory(path)) {
                        Files.createDirectories(target);
                    } else if (!path.endsWith("LOCK")) {
                        Files.copy(path, target);
                    }
                }
                if (sizes(from).equals(before)) {
                    return;
                }
            } catch (NoSuchFileException | UncheckedIOException e) {
                // Deleted under way.
            }
            Damage.deleteTree(to);
        }
        throw new IOException(from + " never stood still");
    }

    /** Directories first, each path with the bytes that it has. */
    private static Map<Path, Long> sizes(Path tree) throws IOException {
        Map<Path, Long> sizes = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(tree)) {
            for (Path path : walk.toList()) {
                sizes.put(path, Files.isDirectory(path) ? 0 : Files.size(path));
            }
        }
        return sizes;
    }

    private final class Watched implements SegmentFile {
        private final Path path;
        private final SegmentFile file;

        Watched(Path path, SegmentFile file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public int read(ByteBuffer to, long position) throws IOException {
            return around(Op.READ, path, () -> {
                int limit = to.limit();
                try {
                    return file.read(to.limit(to.position() + Math.min(to.remaining(), longestRead)), position);
                } finally {
                    to.limit(limit);
                }
            });
        }

        @Override
        public void write(ByteBuffer from, long position) throws IOException {
            Extent extent = new Extent(position, from.remaining());
            around(Op.WRITE, path, () -> {
                synchronized (FaultyFiles.this) {
                    unforced.computeIfAbsent(path, first -> new ArrayList<>()).add(extent);
                    file.write(from, position);
                }
                return true;
            });
        }

        @Override
        public void force() throws IOException {
            around(Op.FORCE, path, () -> {
                synchronized (FaultyFiles.this) {
                    file.force();
                    unforced.remove(path);
                }
                return true;
            });
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
