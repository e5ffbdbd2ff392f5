package io.kvern.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.InvalidInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, killed for real. {@code -Dkvern.crash.rounds} kills more often. */
@Timeout(600)
class StoreCrashIT {
    @TempDir
    private Path scratch;

    private Process child(Path dir, long logSeed, long orderSeed) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx160m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        CrashChild.class.getName(),
                        dir.toString(),
                        Long.toString(logSeed),
                        Long.toString(orderSeed))
                .redirectErrorStream(true)
                .start();
    }

    @Test
    void everyRecordSurvivesBeingKilledAtAnyMoment() throws Exception {
        int rounds = Integer.getInteger("kvern.crash.rounds", 3);
        long seed = Long.getLong("kvern.seed", ThreadLocalRandom.current().nextLong());
        System.out.println("StoreCrashIT -Dkvern.seed=" + seed + " -Dkvern.crash.rounds=" + rounds);
        Random random = new Random(seed);
        TestLog log = CrashChild.log(seed);
        int records = log.entries.stream().mapToInt(List::size).sum();
        Path dir = scratch.resolve("store");
        for (int round = 0; round < rounds; round++) {
            int lines = killAfter(random.nextInt(Math.max(50, records / rounds)), dir, seed, random.nextLong());
            // What was left is brought to the end of the log in a copy; the next child goes on with the original.
            Path copy = scratch.resolve("copy" + round);
            FaultyFiles.copyTree(dir, copy);
            boolean withoutIndex = random.nextInt(3) == 0;
            if (withoutIndex) {
                Damage.deleteTree(copy.resolve("index"));
            }
            checkToTheEnd(
                    copy,
                    log,
                    "seed %d, round %d after %d lines, %s index"
                            .formatted(seed, round, lines, withoutIndex ? "without" : "with"));
            Damage.deleteTree(copy);
        }
    }

    /** Lines read before the kill. */
    private int killAfter(int lines, Path dir, long logSeed, long orderSeed) throws Exception {
        Process process = child(dir, logSeed, orderSeed);
        int read = 0;
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            String line = out.readLine();
            assertThat(line).startsWith("partition 0 resumes behind");
            while (read < lines && line != null && !line.equals(CrashChild.DONE)) {
                line = out.readLine();
                read++;
            }
            assertThat(line).as("the child ended by itself").isNotNull().doesNotContain("Exception");
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return read;
    }

    private static void checkToTheEnd(Path dir, TestLog log, String what) {
        Map<String, TestBlock> truth = new HashMap<>();
        try (BlockStore store = BlockStores.open(CrashChild.config(dir))) {
            for (int p = 0; p < log.partitions; p++) {
                PartitionHandle handle = store.attach(log.ref(p));
                for (long at = handle.applied() + 1; at < log.entries.get(p).size(); at++) {
                    TestLog.apply(handle, log.entries.get(p).get((int) at), at);
                }
                truth.putAll(log.standing(p));
            }
            store.sync(Duration.ofSeconds(60));
            ByteBuffer into = ByteBuffer.allocate(200_200);
            long bytes = 0;
            for (String name : log.everPublished.keySet()) {
                ReadResult read = store.readInto(TestBlock.key(name), into.clear());
                TestBlock expected = truth.get(name);
                if (expected == null) {
                    assertThat(read).as("%s, %s", name, what).isInstanceOf(ReadResult.Absent.class);
                } else {
                    assertThat(read).as("%s, %s", name, what).isInstanceOf(ReadResult.Loaded.class);
                    assertThat(Arrays.equals(expected.bytes(), Arrays.copyOf(into.array(), into.position())))
                            .as("%s, %s", name, what)
                            .isTrue();
                    bytes += expected.length();
                }
            }
            assertThat(store.usage(TestBlock.key("n0").fingerprint()))
                    .as(what)
                    .isEqualTo(new BlockStore.Usage(truth.size(), bytes));
        }
    }

    @Test
    void anotherProcessIsRefusedAlsoAfterASecondTryInThisOne() throws Exception {
        Path dir = scratch.resolve("held");
        try (BlockStore held = BlockStores.open(CrashChild.config(dir))) {
            assertThatThrownBy(() -> BlockStores.open(CrashChild.config(dir)))
                    .isInstanceOf(InvalidInputException.class);

            Process process = child(dir, 1, 1);

            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                assertThat(out.readLine())
                        .contains("is in use by process "
                                + ProcessHandle.current().pid())
                        .contains("data.dir");
            }
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(CrashChild.REFUSED);
            assertThat(held.stats().blocks()).isZero();
        }
    }
}
