package io.kvern.store;

import io.kvern.model.InvalidInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A process that feeds a store with a log that follows from a seed, and says so record by record, until it is killed. */
final class CrashChild {
    static final String DONE = "DONE";
    static final int REFUSED = 3;

    private CrashChild() {}

    static TestLog log(long seed) {
        return new TestLog(3, 60, 400, 200_000, new Random(seed));
    }

    static StoreConfig config(Path dir) {
        return new StoreConfig(dir, 1L << 30, 0.8, 0, 8 << 20, 1 << 20, 1 << 20, Duration.ofMillis(20), 2 << 20);
    }

    /** Arguments: directory, seed of the log, seed of the order in which partitions are fed. */
    public static void main(String[] arguments) throws Exception {
        Path dir = Path.of(arguments[0]);
        TestLog log = log(Long.parseLong(arguments[1]));
        Random random = new Random(Long.parseLong(arguments[2]));
        BlockStore store;
        try {
            store = BlockStores.open(config(dir));
        } catch (InvalidInputException e) {
            say(String.valueOf(e.getMessage()));
            System.exit(REFUSED);
            return;
        }
        List<PartitionHandle> behind = new ArrayList<>();
        for (int p = 0; p < log.partitions; p++) {
            PartitionHandle handle = store.attach(log.ref(p));
            say("partition " + p + " resumes behind " + handle.applied());
            behind.add(handle);
        }
        while (true) {
            behind.removeIf(handle ->
                    handle.applied() + 1 >= log.entries.get(handle.partition()).size());
            if (behind.isEmpty()) {
                break;
            }
            PartitionHandle handle = behind.get(random.nextInt(behind.size()));
            long offset = handle.applied() + 1;
            TestLog.apply(handle, log.entries.get(handle.partition()).get((int) offset), offset);
            say(handle.partition() + " " + offset);
        }
        say(DONE);
        Thread.sleep(Duration.ofMinutes(10)); // To be killed.
    }

    private static void say(String line) {
        System.out.write((line + "\n").getBytes(StandardCharsets.UTF_8), 0, line.length() + 1);
        System.out.flush();
    }
}
