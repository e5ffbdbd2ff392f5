package io.kvern.resp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.InvalidInputException;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BufferPoolTest {
    private static final int MIB = 1 << 20;

    private final BufferPool pool = new BufferPool(8 * MIB, "test.memory.bytes");

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 16384, 20480, 20481, 65536, 1 << 20, (1 << 20) + 4, 5_000_000, 64 << 20, 1 << 30})
    void aCapacityHoldsWhatWasAskedAndWastesLittle(int bytes) {
        int capacity = BufferPool.capacityFor(bytes);
        assertThat(capacity).isGreaterThanOrEqualTo(bytes);
        assertThat(capacity).isLessThanOrEqualTo(Math.max(bytes, 16384) / 4 * 5 + 8192);
    }

    @Test
    void aBlockOfARoundSizeTakesOnlyThePageBesideIt() {
        assertThat(BufferPool.capacityFor((16 << 20) + 4)).isEqualTo((16 << 20) + 4096);
    }

    @Test
    void memoryIsReusedAndCountedUntilTheLastRelease() {
        ByteBuf first = acquire(MIB);
        assertThat(first.isDirect()).isTrue();
        assertThat(first.maxCapacity()).isEqualTo(MIB);
        assertThat(first.readableBytes()).isZero();
        first.writeLong(42);
        ByteBuf slice = first.readRetainedSlice(8);
        first.release();
        assertThat(pool.inUse()).isEqualTo(MIB + 4096);
        slice.release();
        assertThat(pool.inUse()).isZero();
        ByteBuf second = acquire(MIB);
        // The same memory: nobody else has written to it since.
        assertThat(second.getLong(0)).isEqualTo(42);
        second.release();
    }

    @Test
    void overTheBudgetThereIsNoneUntilSomeIsReleased() throws InterruptedException {
        ByteBuf hog = acquire(6 * MIB);
        assertThat(pool.tryAcquire(3 * MIB)).isNull();
        assertThatThrownBy(() -> pool.acquire(3 * MIB, Duration.ofMillis(20)))
                .isInstanceOf(BudgetSpentException.class)
                .hasMessageContaining("3145728 bytes of memory did not come free within 20 ms")
                .hasMessageContaining("of 8388608 are in use (setting test.memory.bytes)");
        hog.release();
        pool.acquire(3 * MIB, Duration.ofMillis(20)).release();
        assertThat(pool.inUse()).isZero();
    }

    @Test
    void whatCanNeverFitIsRefusedAtOnce() {
        assertThatThrownBy(() -> pool.tryAcquire(9 * MIB))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("over the limit of 8388608 (setting test.memory.bytes)");
    }

    @Test
    void theQueueIsServedInOrderAndNobodyOvertakes() {
        ByteBuf hog = acquire(6 * MIB);
        BufferPool.Claim large = pool.claim(5 * MIB);
        BufferPool.Claim small = pool.claim(MIB);
        assertThat(large.granted()).isNotDone();
        assertThat(small.granted()).isNotDone();
        assertThat(pool.tryAcquire(1)).isNull();
        hog.release();
        assertThat(large.granted()).isDone();
        assertThat(small.granted()).isDone();
        large.granted().join().release();
        small.granted().join().release();
        assertThat(pool.inUse()).isZero();
    }

    @Test
    void whoLeavesTheQueueMakesWayAndLosesNothing() {
        ByteBuf hog = acquire(6 * MIB);
        BufferPool.Claim large = pool.claim(5 * MIB);
        BufferPool.Claim small = pool.claim(MIB);
        pool.abandon(large);
        assertThat(small.granted()).isDone();
        pool.abandon(small);
        hog.release();
        assertThat(pool.inUse()).isZero();
        assertThat(large.granted()).isNotDone();
    }

    @Test
    void keptMemoryOfOneSizeGivesWayToAnother() {
        for (int size = MIB; size < 7 * MIB; size += MIB / 2) {
            acquire(size).release();
        }
        acquire(7 * MIB).release();
        assertThat(pool.inUse()).isZero();
    }

    /** Threads that take, fill, check and release at random never see each other's bytes, and all comes back. */
    @Test
    void buffersAreNeverShared() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> runs = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                Random random = new Random(100 + t);
                byte mark = (byte) t;
                runs.add(threads.submit(() -> {
                    for (int i = 0; i < 500; i++) {
                        ByteBuf buffer = pool.acquire(1 + random.nextInt(3 * MIB), Duration.ofSeconds(20));
                        ByteBuffer bytes = buffer.nioBuffer(0, Math.min(buffer.capacity(), 4096));
                        for (int at = 0; at < bytes.limit(); at++) {
                            bytes.put(at, mark);
                        }
                        for (int at = 0; at < bytes.limit(); at++) {
                            assertThat(bytes.get(at)).isEqualTo(mark);
                        }
                        buffer.release();
                    }
                    return null;
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        }
        assertThat(pool.inUse()).isZero();
    }

    @Test
    void filesAreReadIntoIt(@TempDir Path directory) throws IOException {
        byte[] bytes = Wire.random(new Random(6), 100_000);
        Path file = Files.write(directory.resolve("block"), bytes);
        ByteBuf buffer = acquire(bytes.length);
        try (FileChannel channel = FileChannel.open(file)) {
            assertThat(channel.read(buffer.nioBuffer(0, bytes.length), 0)).isEqualTo(bytes.length);
        }
        assertThat(buffer.nioBuffer(0, bytes.length)).isEqualTo(ByteBuffer.wrap(bytes));
        buffer.release();
    }

    @Test
    void closingFreesWhatIsKeptAndLaterWhatIsLent() {
        ByteBuf lent = acquire(MIB);
        acquire(2 * MIB).release();
        pool.close();
        lent.writeLong(1);
        lent.release();
        assertThat(pool.inUse()).isZero();
    }

    private ByteBuf acquire(int bytes) {
        return Objects.requireNonNull(pool.tryAcquire(bytes));
    }
}
