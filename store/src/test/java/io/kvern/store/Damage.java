package io.kvern.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** What a crash, a medium or a person may do to a data directory that no store has open. */
enum Damage {
    NONE,
    LOG_CUT,
    DATA_CUT,
    LOG_BYTE_FLIPPED,
    INDEX_DELETED,
    INDEX_TABLE_DAMAGED,
    INDEX_TABLE_DELETED,
    INDEX_MANIFEST_DAMAGED,
    INDEX_MANIFEST_CUT,
    INDEX_CURRENT_DELETED,
    SEGMENT_DELETED;

    private static final int[] CUTS = {1, 17, 4096};

    /** Whether the logs can tell everything all the same. */
    boolean ofIndexOnly() {
        return name().startsWith("INDEX");
    }

    void doTo(Path dataDir, SplittableRandom random) throws IOException {
        Path segments = dataDir.resolve("segments");
        Path index = dataDir.resolve("index");
        switch (this) {
            case NONE -> {
                // A crash alone.
            }
            case LOG_CUT -> cut(newest(segments, ".log"), random);
            case DATA_CUT -> cut(newest(segments, ".data"), random);
            case LOG_BYTE_FLIPPED -> flip(any(segments, ".log", random), random);
            case INDEX_DELETED -> deleteTree(index);
            case INDEX_TABLE_DAMAGED -> flip(any(index, ".sst", random), random);
            case INDEX_TABLE_DELETED -> Files.deleteIfExists(any(index, ".sst", random));
            case INDEX_MANIFEST_DAMAGED -> flip(newestNamed(index, "MANIFEST"), random);
            case INDEX_MANIFEST_CUT -> cut(newestNamed(index, "MANIFEST"), random);
            case INDEX_CURRENT_DELETED -> Files.deleteIfExists(index.resolve("CURRENT"));
            case SEGMENT_DELETED -> {
                Path log = any(segments, ".log", random);
                Files.deleteIfExists(log);
                if (random.nextBoolean()) {
                    Files.deleteIfExists(Path.of(log.toString().replace(".log", ".data")));
                }
            }
        }
    }

    private static List<Path> files(Path directory, String suffix) throws IOException {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> listing = Files.list(directory)) {
            return listing.filter(path -> path.toString().endsWith(suffix))
                    .sorted(Comparator.comparing(Path::toString))
                    .toList();
        }
    }

    /** A path that does not exist where there is none such. */
    static Path newest(Path directory, String suffix) throws IOException {
        List<Path> files = files(directory, suffix);
        return files.isEmpty() ? directory.resolve("none") : files.getLast();
    }

    static Path largest(Path directory, String suffix) throws IOException {
        return files(directory, suffix).stream()
                .max(Comparator.comparingLong(path -> path.toFile().length()))
                .orElseThrow();
    }

    static Path newestNamed(Path directory, String prefix) throws IOException {
        return files(directory, "").stream()
                .filter(path -> path.getFileName().toString().startsWith(prefix))
                .reduce((first, second) -> second)
                .orElse(directory.resolve("none"));
    }

    private static Path any(Path directory, String suffix, SplittableRandom random) throws IOException {
        List<Path> files = files(directory, suffix);
        return files.isEmpty() ? directory.resolve("none") : files.get(random.nextInt(files.size()));
    }

    private static void cut(Path file, SplittableRandom random) throws IOException {
        if (Files.exists(file)) {
            long size = Files.size(file);
            int which = random.nextInt(CUTS.length + 1);
            long to = which == CUTS.length ? size / 2 : Math.max(0, size - CUTS[which]);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(to);
            }
        }
    }

    private static void flip(Path file, SplittableRandom random) throws IOException {
        if (Files.exists(file) && Files.size(file) > 0) {
            flip(file, random.nextLong(Files.size(file)));
        }
    }

    static void flip(Path file, long position) throws IOException {
        try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
            access.seek(position);
            int old = access.read();
            access.seek(position);
            access.write(old ^ 0x10);
        }
    }

    static void deleteTree(Path tree) throws IOException {
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
