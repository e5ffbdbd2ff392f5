package io.kvern.app.node;

import io.kvern.app.config.KvernConfig;
import io.kvern.app.config.Settings;
import io.kvern.model.InvalidInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a store may take of its disk, and how far back its topic should reach for it.
 *
 * @param capacityBytes of the store
 * @param retentionBytes of the blocks topic, when it is made
 */
record DiskBudget(long capacityBytes, long retentionBytes) {
    /**
     * For a node beside a Kafka of its own machines: a cold node can be filled to its capacity.
     *
     * @param storeDir the store's directory, which may not exist yet
     */
    static DiskBudget ofNode(KvernConfig config, Path storeDir) {
        long capacity = config.get(Settings.CAPACITY);
        if (capacity == 0) {
            capacity = share(config, storeDir);
        }
        return new DiskBudget(capacity, retention(config, capacity));
    }

    /** For broker and store on one disk: each takes half of the share, unless somebody said otherwise. */
    static DiskBudget ofBoth(KvernConfig config, Path dataDir) {
        long capacity = config.get(Settings.CAPACITY);
        if (capacity == 0) {
            capacity = share(config, dataDir) / 2;
        }
        return new DiskBudget(capacity, retention(config, capacity));
    }

    private static long retention(KvernConfig config, long capacity) {
        long chosen = config.get(Settings.RETENTION);
        return chosen == 0 ? capacity : chosen;
    }

    private static long share(KvernConfig config, Path directory) {
        try {
            Files.createDirectories(directory);
            long own;
            try (Stream<Path> files = Files.walk(directory)) {
                own = files.mapToLong(DiskBudget::size).sum();
            }
            return (long)
                    ((Files.getFileStore(directory).getUsableSpace() + own) * config.get(Settings.CAPACITY_SHARE));
        } catch (IOException | UncheckedIOException e) {
            throw new InvalidInputException(
                    "the data directory %s cannot be used (setting data.dir): %s".formatted(directory, e), e);
        }
    }

    /** 0 for what is no file, or went away just now. */
    private static long size(Path path) {
        try {
            return Files.isRegularFile(path) ? Files.size(path) : 0;
        } catch (IOException e) {
            return 0;
        }
    }
}
