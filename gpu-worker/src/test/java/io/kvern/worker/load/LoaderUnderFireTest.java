package io.kvern.worker.load;

import static io.kvern.worker.load.TestBlocks.id;
import static io.kvern.worker.load.TestBlocks.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.model.BlockId;
import io.kvern.model.Crc32c;
import io.kvern.model.Namespace;
import io.kvern.worker.load.ScriptedServer.Fault;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random blocks, faults, deadlines and threads against two servers: exact bytes or an honest status, in time, hands off after. */
@Timeout(30)
class LoaderUnderFireTest {
    private static final int BLOCKS = 24;
    private static final int ROUNDS = 30;
    private static final Duration GRACE = Duration.ofMillis(750);
    private static final Fault[] FAULTS = {
        Fault.WRONG_CRC,
        Fault.WRONG_BYTE,
        Fault.WRONG_BULK_LENGTH,
        Fault.TORN,
        Fault.CLOSE,
        Fault.TRICKLE,
        Fault.TRY_AGAIN,
        Fault.ERROR,
        Fault.GARBAGE,
        Fault.MISS
    };

    /** The room of a load that is over, and what was in it when the load returned. */
    private record Left(ByteBuffer room, int crc) {}

    private final Map<BlockId, byte[]> blocks = new HashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void exactBytesOrAnHonestStatus(long seed) throws Exception {
        System.out.println("LoaderUnderFireTest seed " + seed);
        Random random = new Random(seed);
        try (ScriptedServer one = new ScriptedServer();
                ScriptedServer two = new ScriptedServer();
                BlockLoader loader =
                        new BlockLoader(LoaderConfig.of(Namespace.opaque("fire"), List.of(one.address(), two.address()))
                                .withSockets(1 + random.nextInt(3), 1 + random.nextInt(4))
                                .withTimeouts(Duration.ofMillis(300), Duration.ofMillis(300)))) {
            for (int i = 0; i < BLOCKS; i++) {
                byte[] block = payload(id(i), 1 + random.nextInt(1 << (8 + random.nextInt(13))));
                blocks.put(id(i), block);
                one.put(id(i), block);
                two.put(id(i), block);
            }
            List<CompletableFuture<List<Left>>> threads = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                long own = random.nextLong();
                CompletableFuture<List<Left>> result = new CompletableFuture<>();
                threads.add(result);
                Thread.ofPlatform().daemon().start(() -> {
                    try {
                        result.complete(rounds(new Random(own), loader, one, two));
                    } catch (RuntimeException | Error e) {
                        result.completeExceptionally(e);
                    }
                });
            }
            for (CompletableFuture<List<Left>> thread : threads) {
                for (Left left : thread.get(25, TimeUnit.SECONDS)) {
                    assertThat(Crc32c.of(TestBlocks.whole(left.room)))
                            .as("a room after its load")
                            .isEqualTo(left.crc);
                }
            }
            one.heal();
            two.heal();
            assertThat(recovered(loader))
                    .as("all blocks once the faults are over")
                    .isTrue();
        }
    }

    private List<Left> rounds(Random random, BlockLoader loader, ScriptedServer... servers) {
        List<Left> left = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = random.nextInt(4); i > 0; i--) {
                servers[random.nextInt(2)].next(id(random.nextInt(BLOCKS)), FAULTS[random.nextInt(FAULTS.length)]);
            }
            List<LoadRequest> requests = requests(random);
            Duration deadline = Duration.ofMillis(random.nextInt(10) == 0 ? 2000 : random.nextInt(40));

            LoadResult result = loader.load(requests, deadline);

            assertThat(result.elapsed()).isLessThan(deadline.plus(GRACE));
            for (int i = 0; i < requests.size(); i++) {
                left.add(checked(requests.get(i), result.blocks().get(i)));
            }
        }
        return left;
    }

    private List<LoadRequest> requests(Random random) {
        List<LoadRequest> requests = new ArrayList<>();
        for (int i = 1 + random.nextInt(BLOCKS); i > 0; i--) {
            BlockId id = id(random.nextInt(BLOCKS));
            int length = block(id).length;
            int size = random.nextInt(10) == 0 ? random.nextInt(length + 1) : length + random.nextInt(100);
            requests.add(new LoadRequest(id, TestBlocks.room(size, random.nextBoolean())));
        }
        return requests;
    }

    private byte[] block(BlockId id) {
        byte @Nullable [] block = blocks.get(id);
        assertThat(block).isNotNull();
        return block == null ? new byte[0] : block;
    }

    private Left checked(LoadRequest request, BlockLoad load) {
        byte[] block = block(request.id());
        ByteBuffer room = request.destination();
        assertThat(load.id()).isEqualTo(request.id());
        assertThat(TestBlocks.marginsAreUntouched(room)).isTrue();
        if (load.status() == LoadStatus.LOADED) {
            assertThat(load.length()).isEqualTo(block.length);
            assertThat(TestBlocks.holds(room, block))
                    .as("bytes of %s", request.id())
                    .isTrue();
        } else {
            assertThat(load.length()).isZero();
        }
        ByteBuffer whole = TestBlocks.whole(room);
        if (load.status() != LoadStatus.LOADED) {
            // The caller's again: whatever is written now must stay.
            while (whole.hasRemaining()) {
                whole.put((byte) 0x5A);
            }
            whole.clear();
        }
        return new Left(room, Crc32c.of(whole));
    }

    private boolean recovered(BlockLoader loader) {
        long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (System.nanoTime() - end < 0) {
            List<LoadRequest> requests = blocks.entrySet().stream()
                    .map(entry -> new LoadRequest(entry.getKey(), TestBlocks.room(entry.getValue().length, true)))
                    .toList();
            if (loader.load(requests, Duration.ofSeconds(2)).prefix() == BLOCKS) {
                return true;
            }
        }
        return false;
    }
}
