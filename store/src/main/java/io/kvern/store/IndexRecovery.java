package io.kvern.store;

import io.kvern.store.index.BlockIndex;
import io.kvern.store.index.IndexDamagedException;
import io.kvern.store.rocks.RocksIndex;
import io.kvern.store.segment.SegmentDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the index, or builds it anew from the segments' logs, beside the old one and renamed in: no manual step. */
final class IndexRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(IndexRecovery.class);

    private final Path directory;
    private final Path building;
    private final Path damaged;
    private final SegmentDirectory segments;
    private final long memoryBytes;

    IndexRecovery(Path dataDir, SegmentDirectory segments, long memoryBytes) {
        this.directory = dataDir.resolve("index");
        this.building = dataDir.resolve("index.building");
        this.damaged = damagedMark(dataDir);
        this.segments = segments;
        this.memoryBytes = memoryBytes;
    }

    /** Where a running store notes that its index must be built anew at the next opening. */
    static Path damagedMark(Path dataDir) {
        return dataDir.resolve("index.damaged");
    }

    /**
     * An index that says what the segments say.
     *
     * @param index the caller closes it
     */
    record Opened(BlockIndex index, RollForward.Outcome outcome) {}

    Opened open() throws IOException {
        delete(building);
        if (Files.exists(damaged)) {
            return rebuild("it was found damaged while it ran");
        }
        if (!Files.exists(directory) && segments.count() > 0) {
            return rebuild("it is absent");
        }
        Opened opened;
        try {
            opened = rolledForward(directory);
        } catch (IndexDamagedException e) {
            return rebuild(String.valueOf(e.getMessage()));
        }
        List<String> lost = opened.outcome.lost();
        if (!lost.isEmpty()) {
            opened.index.close();
            Opened rebuilt = rebuild("it knows more than is left: missing are " + lost);
            return new Opened(rebuilt.index, rebuilt.outcome.knowing(opened.outcome.highestSegment()));
        }
        return opened;
    }

    private Opened rolledForward(Path where) throws IOException {
        BlockIndex index = RocksIndex.open(where, memoryBytes);
        try {
            return new Opened(index, new RollForward(segments, index).run());
        } catch (IOException | RuntimeException e) {
            index.close();
            throw e;
        }
    }

    private Opened rebuild(String why) throws IOException {
        LOG.warn("Building the index anew from the logs of {} segments: {}", segments.count(), why);
        long began = System.nanoTime();
        Opened built = rolledForward(building);
        built.index.close();
        if (!built.outcome.lost().isEmpty()) {
            LOG.warn(
                    "Missing are {}. What is intact stays; the log's records are read again from its start",
                    built.outcome.lost());
        }
        delete(directory);
        Files.move(building, directory, StandardCopyOption.ATOMIC_MOVE);
        Files.deleteIfExists(damaged);
        LOG.info("Built the index anew in {} ms", (System.nanoTime() - began) / 1_000_000);
        return new Opened(RocksIndex.open(directory, memoryBytes), built.outcome);
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(tree)) {
            paths = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }
}
