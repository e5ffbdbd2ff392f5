package io.kvern.store.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments of one store, by id. Ids only grow, above every id ever seen in the directory. Files of other names are left
 * alone.
 *
 * <pre>
 *  .log:  0                8            16
 *         +----------------+------------+--------------------------+
 *         | "KVRNLOG1"     | segment id | frames (see FrameWriter)  |
 *         +----------------+------------+--------------------------+
 *  .data: payloads, each at the place that its put frame names; what lies between is dead
 * </pre>
 */
public final class SegmentDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentDirectory.class);
    private static final long MAGIC =
            ByteBuffer.wrap("KVRNLOG1".getBytes(StandardCharsets.US_ASCII)).getLong();
    private static final Pattern NAME = Pattern.compile("([0-9a-f]{16})\\.(data|log)");

    /** No store gets here; a larger number in a file's name is not ours. */
    private static final long MAX_ID = 1L << 62;

    /** Where the frames of a log begin. */
    public static final int LOG_HEADER_BYTES = 16;

    private final Path directory;
    private final SegmentFiles files;
    private final ConcurrentSkipListMap<Long, Segment> segments = new ConcurrentSkipListMap<>();

    /** Unlinked, but still held open by readers: id to bytes. */
    private final Map<Long, Long> unlinked = new ConcurrentHashMap<>();

    /** Unlinked, but the file system would not: id to bytes. They count until it does. */
    private final Map<Long, Long> stuck = new ConcurrentHashMap<>();

    private long nextId = 1;

    public SegmentDirectory(Path directory, SegmentFiles files) throws IOException {
        this.directory = directory;
        this.files = files;
        Files.createDirectories(directory);
    }

    /** Opens every pair for reading. A file without its other half is worth nothing, and removed. */
    public void load() throws IOException {
        ConcurrentSkipListMap<Long, List<String>> found = new ConcurrentSkipListMap<>();
        List<Path> foreign = new ArrayList<>();
        try (Stream<Path> listing = Files.list(directory)) {
            listing.forEach(path -> {
                Matcher name = NAME.matcher(path.getFileName().toString());
                long id = name.matches() ? HexFormat.fromHexDigitsToLong(name.group(1)) : 0;
                boolean possible = 0 < id && id < MAX_ID;
                if (possible) {
                    nextId = Math.max(nextId, id + 1);
                }
                if (possible && Files.isRegularFile(path)) {
                    found.computeIfAbsent(id, key -> new ArrayList<>()).add(name.group(2));
                } else {
                    foreign.add(path.getFileName());
                }
            });
        }
        if (!foreign.isEmpty()) {
            LOG.warn("Left alone in {}: files that are not the store's: {}", directory, foreign);
        }
        for (var pair : found.entrySet()) {
            long id = pair.getKey();
            if (pair.getValue().size() == 2) {
                segments.put(id, openPair(id));
            } else {
                LOG.warn(
                        "Segment {} has only its .{} file; removed",
                        name(id),
                        pair.getValue().getFirst());
                try {
                    deleteFiles(id);
                } catch (IOException e) {
                    LOG.warn("Could not delete it: {}", e.toString());
                    stuck.put(id, 0L);
                }
            }
        }
    }

    private Segment openPair(long id) throws IOException {
        SegmentFile data = files.open(path(id, "data"));
        try {
            long logBytes;
            try (SegmentFile log = files.open(path(id, "log"))) {
                logBytes = log.size();
            }
            return new Segment(id, data, null, data.size(), logBytes, true, () -> unlinked.remove(id));
        } catch (IOException e) {
            data.close();
            throw e;
        }
    }

    /** A new, empty segment. The directory is not forced. */
    public Segment create() throws IOException {
        long id = nextId++;
        SegmentFile data = files.create(path(id, "data"));
        SegmentFile log = null;
        try {
            log = files.create(path(id, "log"));
            log.write(
                    ByteBuffer.allocate(LOG_HEADER_BYTES)
                            .putLong(MAGIC)
                            .putLong(id)
                            .flip(),
                    0);
        } catch (IOException e) {
            data.close();
            if (log != null) {
                log.close();
            }
            try {
                deleteFiles(id);
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
        Segment segment = new Segment(id, data, log, 0, LOG_HEADER_BYTES, false, () -> unlinked.remove(id));
        segments.put(id, segment);
        return segment;
    }

    /** Segments from this id on will be this process's own. */
    public long nextId() {
        return nextId;
    }

    /** Makes ids above {@code seen}, which stood in the index or in a frame. */
    public void neverReuse(long seen) {
        nextId = Math.max(nextId, seen + 1);
    }

    public @Nullable Segment get(long id) {
        return segments.get(id);
    }

    /** Oldest first. */
    public Iterable<Segment> all() {
        return segments.values();
    }

    public int count() {
        return segments.size();
    }

    /** Whether files of an older segment are there, given up or not. */
    public boolean hasOlderThan(long id) {
        return segments.lowerKey(id) != null || stuck.keySet().stream().anyMatch(other -> other < id);
    }

    public void force() throws IOException {
        files.forceDirectory(directory);
    }

    /** All bytes on disk that are the segments': those unlinked but still being read included. */
    public long bytes() {
        long sum = 0;
        for (long bytes : unlinked.values()) {
            sum += bytes;
        }
        for (long bytes : stuck.values()) {
            sum += bytes;
        }
        for (Segment segment : segments.values()) {
            sum += segment.bytes();
        }
        return sum;
    }

    public long usableBytes() throws IOException {
        return files.usableBytes(directory);
    }

    /** Unlinks a pair; readers that hold a lease keep the bytes. What cannot be deleted counts on, and is tried again. */
    public void unlink(Segment segment) {
        long id = segment.id();
        unlinked.put(id, segment.bytes());
        segments.remove(id);
        try {
            deleteFiles(id);
        } catch (IOException e) {
            LOG.warn("Could not delete segment {}: {}", name(id), e.toString());
            stuck.put(id, segment.bytes());
        }
        segment.release();
    }

    /**
     * Tries again to delete what could not be deleted.
     *
     * @return how many pairs are still stuck
     */
    public int retryUnlinks() {
        stuck.keySet().removeIf(id -> {
            try {
                deleteFiles(id);
                return true;
            } catch (IOException e) {
                LOG.debug("Segment {} still cannot be deleted: {}", name(id), e.toString());
                return false;
            }
        });
        return stuck.size();
    }

    private void deleteFiles(long id) throws IOException {
        files.delete(path(id, "data"));
        files.delete(path(id, "log"));
    }

    /**
     * Reads a segment's frames.
     *
     * @param from where to begin, {@link #LOG_HEADER_BYTES} for all
     * @return null where the log is not one of ours: too short, another magic, another id
     */
    public @Nullable FrameScanner scan(long id, long from) throws IOException {
        SegmentFile file = files.open(path(id, "log"));
        try {
            ByteBuffer header = ByteBuffer.allocate(LOG_HEADER_BYTES);
            int read = 0;
            while (header.hasRemaining() && read >= 0) {
                read = file.read(header, header.position());
            }
            if (!header.hasRemaining() && header.getLong(0) == MAGIC && header.getLong(8) == id) {
                return new FrameScanner(file, Math.max(from, LOG_HEADER_BYTES));
            }
        } catch (IOException e) {
            file.close();
            throw e;
        }
        file.close();
        return null;
    }

    /** Lets go of all files; readers keep theirs. */
    public void close() {
        segments.values().forEach(Segment::release);
        segments.clear();
    }

    private Path path(long id, String kind) {
        return directory.resolve(name(id) + "." + kind);
    }

    public static String name(long id) {
        return HexFormat.of().toHexDigits(id);
    }
}
