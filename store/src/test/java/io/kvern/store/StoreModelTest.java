package io.kvern.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random logs through a store that crashes at random moments, in the middle of sync points too, with random damage on top:
 * when the rest of the log was applied, exactly what the log says must stand. {@code -Dkvern.seed} repeats one run.
 */
class StoreModelTest {
    private static final int RUNS = Integer.getInteger("kvern.model.runs", 14);
    private static final int CRASHES = 4;

    @TempDir
    private Path scratch;

    static LongStream seeds() {
        Long one = Long.getLong("kvern.seed");
        return one != null ? LongStream.of(one) : ThreadLocalRandom.current().longs(RUNS, 0, Long.MAX_VALUE);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatTheLogSaysStandsAfterAnyCrash(long seed) throws IOException {
        System.out.println("StoreModelTest -Dkvern.seed=" + seed);
        new Run(seed, scratch).play();
    }

    private static final class Run {
        private final Random random;
        private final SplittableRandom damageRandom;
        private final Path scratch;
        private final TestLog log;
        private final Map<String, TestBlock> truth = new HashMap<>();

        /** Resume offsets that the last life had told as durable, where what was damaged since can cost none of them. */
        private final Map<Integer, Long> promised = new HashMap<>();

        private boolean logsDamaged;
        private final StringBuilder story = new StringBuilder();
        private int directories;

        Run(long seed, Path scratch) {
            this.random = new Random(seed);
            this.damageRandom = new SplittableRandom(seed);
            this.scratch = scratch;
            this.log = new TestLog(1 + random.nextInt(3), 20, 60, 60_000, random);
            for (int p = 0; p < log.partitions; p++) {
                truth.putAll(log.standing(p));
            }
        }

        void play() throws IOException {
            Path dir = scratch.resolve("life0");
            try {
                for (int crash = 0; crash < CRASHES; crash++) {
                    dir = new Life(dir).untilCrash();
                    Damage damage = List.of(Damage.values()).get(random.nextInt(Damage.values().length));
                    story.append(" damage ").append(damage);
                    damage.doTo(dir, damageRandom);
                    logsDamaged |= damage != Damage.NONE && !damage.ofIndexOnly();
                    if (logsDamaged && damage != Damage.NONE) {
                        promised.clear();
                    }
                }
                new Life(dir).toTheEnd();
                Damage.deleteTree(dir.resolve("index"));
                story.append(" index deleted at the end");
                new Life(dir).toTheEnd();
            } catch (AssertionError | IOException | RuntimeException e) {
                throw new AssertionError("after:" + story, e);
            }
        }

        /** One process, as it were. */
        private final class Life {
            private final Path dir;
            private final FaultyFiles files = new FaultyFiles();
            private final StoreConfig config;
            private BlockStore store;
            private final List<PartitionHandle> handles = new CopyOnWriteArrayList<>();

            /** Operations until the copy is taken, which is the crash. */
            private volatile int untilCopy = Integer.MAX_VALUE;

            private volatile boolean copied;
            private boolean powerLoss;
            private final Path copy = scratch.resolve("life" + ++directories);

            Life(Path dir) {
                this.dir = dir;
                this.config = new StoreConfig(
                        dir,
                        256 << 20,
                        0.8,
                        0,
                        1 << 20,
                        1 << 20,
                        random.nextBoolean() ? 100_000 : 1 << 30,
                        Duration.ofMillis(random.nextBoolean() ? 20 : 3_600_000),
                        1 << 20);
                open();
                promised.clear();
            }

            private void open() {
                story.append("\n open");
                store = BlockStores.open(config, files, () -> 0);
                handles.clear();
                for (int p = 0; p < log.partitions; p++) {
                    handles.add(store.attach(log.ref(p)));
                    story.append(" p")
                            .append(p)
                            .append('@')
                            .append(handles.get(p).applied());
                    assertThat(handles.get(p).applied())
                            .as("partition %d", p)
                            .isGreaterThanOrEqualTo(promised.getOrDefault(p, PartitionHandle.NONE));
                }
                checkWhatIsThere();
            }

            Path untilCrash() throws IOException {
                powerLoss = random.nextBoolean();
                untilCopy = 1 + random.nextInt(random.nextBoolean() ? 40 : 400);
                files.fault = (op, path, before) -> {
                    if (op != FaultyFiles.Op.READ && op != FaultyFiles.Op.USABLE_BYTES) {
                        maybeCopy();
                    }
                };
                story.append(" crash in ").append(untilCopy).append(powerLoss ? " (power)" : "");
                while (!copied && step()) {
                    // Until the copy is taken, or the log ends.
                }
                synchronized (this) {
                    untilCopy = 1;
                    maybeCopy();
                }
                store.close();
                return copy;
            }

            private synchronized void maybeCopy() throws IOException {
                if (!copied && --untilCopy <= 0) {
                    copied = true;
                    handles.forEach(handle -> promised.put(handle.partition(), handle.resumeOffset()));
                    if (powerLoss) {
                        files.copyAfterPowerLoss(dir, copy, damageRandom);
                    } else {
                        files.copy(dir, copy);
                    }
                }
            }

            void toTheEnd() {
                while (step()) {
                    // On.
                }
                checkTruth();
                story.append(" to the end");
                store.close();
                open();
                checkTruth();
                store.close();
            }

            /** False at the end of all partitions. */
            private boolean step() {
                try {
                    int what = random.nextInt(200);
                    if (what < 8) {
                        store.sync(Duration.ofSeconds(30));
                    } else if (what < 9) {
                        store.close();
                        open();
                    } else if (what < 11) {
                        reattach(random.nextInt(handles.size()));
                    }
                    List<PartitionHandle> behind = handles.stream()
                            .filter(handle -> handle.applied() + 1
                                    < log.entries.get(handle.partition()).size())
                            .toList();
                    if (behind.isEmpty()) {
                        return false;
                    }
                    PartitionHandle handle = behind.get(random.nextInt(behind.size()));
                    long offset = handle.applied() + 1;
                    if (random.nextInt(50) == 0) {
                        offset = Math.max(0, offset - 5);
                    }
                    TestLog.apply(handle, log.entries.get(handle.partition()).get((int) offset), offset);
                } catch (StoreFailedException e) {
                    // A damaged index shows only when it is read; the next opening builds it anew.
                    assertThat(e).hasMessageContaining("index");
                    story.append(" index damaged");
                    store.close();
                    open();
                }
                return true;
            }

            private void reattach(int partition) {
                story.append(" reattach p").append(partition);
                handles.get(partition).close();
                handles.set(partition, store.attach(log.ref(partition)));
            }

            /** Whatever stands was published, whole, at some time, and is counted. */
            private void checkWhatIsThere() {
                try {
                    long blocks = 0;
                    long bytes = 0;
                    for (String name : log.everPublished.keySet()) {
                        byte[] read = read(name);
                        if (read != null) {
                            blocks++;
                            bytes += read.length;
                            assertThat(log.everPublished.get(name))
                                    .as(name)
                                    .anyMatch(block -> Arrays.equals(read, block.bytes()));
                        }
                    }
                    BlockStore.Usage usage = store.usage(TestBlock.key("n0").fingerprint());
                    assertThat(usage).isEqualTo(new BlockStore.Usage(blocks, bytes));
                } catch (StoreFailedException e) {
                    assertThat(e).hasMessageContaining("index");
                    store.close();
                    open();
                }
            }

            private void checkTruth() {
                long bytes = 0;
                for (String name : log.everPublished.keySet()) {
                    TestBlock expected = truth.get(name);
                    byte[] read = read(name);
                    if (expected == null) {
                        assertThat(read).as("%s must not stand", name).isNull();
                    } else {
                        assertThat(read).as("%s, %s", name, expected).isNotNull();
                        assertThat(Arrays.mismatch(read, expected.bytes()))
                                .as("%s, %s", name, expected)
                                .isEqualTo(-1);
                        bytes += expected.length();
                    }
                }
                assertThat(store.usage(TestBlock.key("n0").fingerprint()))
                        .isEqualTo(new BlockStore.Usage(truth.size(), bytes));
            }

            private byte @Nullable [] read(String name) {
                ByteBuffer into = ByteBuffer.allocate(70_000);
                return switch (store.readInto(TestBlock.key(name), into)) {
                    case ReadResult.Absent _ -> null;
                    case ReadResult.Loaded _ -> {
                        byte[] bytes = new byte[into.flip().remaining()];
                        into.get(bytes);
                        yield bytes;
                    }
                    case ReadResult other -> throw new AssertionError(name + ": " + other);
                };
            }
        }
    }
}
