package io.kvern.worker.load;

import static io.kvern.worker.load.TestBlocks.holds;
import static io.kvern.worker.load.TestBlocks.id;
import static io.kvern.worker.load.TestBlocks.marginsAreUntouched;
import static io.kvern.worker.load.TestBlocks.payload;
import static io.kvern.worker.load.TestBlocks.room;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.BlockId;
import io.kvern.model.CacheSpec;
import io.kvern.model.Crc32c;
import io.kvern.model.InvalidInputException;
import io.kvern.model.Namespace;
import io.kvern.worker.load.ScriptedServer.Fault;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class BlockLoaderTest {
    private static final Namespace NAMESPACE = Namespace.opaque("org/model");
    private static final Duration AMPLE = Duration.ofSeconds(10);
    /** What a busy machine may add to a deadline before a test calls it missed. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private ScriptedServer server = server(0);
    private BlockLoader loader = loader(server);

    private static ScriptedServer server(int port) {
        try {
            return new ScriptedServer(port);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static BlockLoader loader(ScriptedServer... servers) {
        return new BlockLoader(
                config(List.of(servers).stream().map(ScriptedServer::address).toList()));
    }

    private static LoaderConfig config(List<InetSocketAddress> endpoints) {
        return LoaderConfig.of(NAMESPACE, endpoints).withTimeouts(Duration.ofMillis(500), Duration.ofMillis(500));
    }

    @BeforeEach
    void tenBlocks() {
        for (int i = 0; i < 10; i++) {
            store(server, i, 100_000 + i * 7919);
        }
    }

    @AfterEach
    void close() throws IOException {
        loader.close();
        server.close();
    }

    private static byte[] store(ScriptedServer server, int number, int length) {
        byte[] bytes = payload(id(number), length);
        server.put(id(number), bytes);
        return bytes;
    }

    private static List<LoadRequest> requests(int count, int size) {
        return IntStream.range(0, count)
                .mapToObj(i -> new LoadRequest(id(i), room(size, i % 3 != 2)))
                .toList();
    }

    private static List<LoadStatus> statuses(LoadResult result) {
        return result.blocks().stream().map(BlockLoad::status).toList();
    }

    /** Every block but {@code but} arrived whole; nothing outside any room was touched. */
    private void assertOthersLoaded(List<LoadRequest> requests, LoadResult result, int but) {
        for (int i = 0; i < requests.size(); i++) {
            ByteBuffer destination = requests.get(i).destination();
            assertThat(marginsAreUntouched(destination))
                    .as("margins of block %d", i)
                    .isTrue();
            if (i != but) {
                byte[] block = server.block(id(i));
                assertThat(result.blocks().get(i)).isEqualTo(new BlockLoad(id(i), LoadStatus.LOADED, block.length, ""));
                assertThat(holds(destination, block)).as("bytes of block %d", i).isTrue();
            }
        }
    }

    @Test
    void blocksOfAllSizesArriveWholeInDirectAndHeapMemory() {
        int[] sizes = {1, 2, 63, 4095, 4096, 4097, 65_536, 256 << 10, (256 << 10) + 1, 1 << 20, 5_000_001, 16 << 20};
        List<LoadRequest> requests = new ArrayList<>();
        for (int i = 0; i < 2 * sizes.length; i++) {
            byte[] block = store(server, i, sizes[i / 2]);
            requests.add(new LoadRequest(id(i), room(block.length + i % 3, i % 2 == 0)));
        }

        LoadResult result = loader.load(requests, AMPLE);

        assertOthersLoaded(requests, result, -1);
        assertThat(result.prefix()).isEqualTo(requests.size());
        assertThat(result.bytes()).isEqualTo(2L * IntStream.of(sizes).sum());
        for (int i = 0; i < requests.size(); i++) {
            assertThat(requests.get(i).destination().remaining()).isEqualTo(i % 3);
        }
        assertThat(server.users).containsExactly("org/model/");
        assertThat(loader.stats().loaded()).isEqualTo(requests.size());
        assertThat(loader.stats().bytes()).isEqualTo(result.bytes());
        assertThat(server.accepted.get()).isLessThanOrEqualTo(4);
    }

    @Test
    void connectionsAreKept() {
        for (int i = 0; i < 20; i++) {
            assertThat(loader.load(requests(10, 200_000), AMPLE).prefix()).isEqualTo(10);
        }

        assertThat(server.accepted.get()).isLessThanOrEqualTo(4);
        assertThat(loader.stats().losses()).isZero();
    }

    @Test
    void anotherSpecOfTheNameIsAnotherUser() {
        CacheSpec spec = new CacheSpec.Engine("bf16", 2, 2, 64, 16, 1, "l,k,t,h,d", "sha256", "0", "1", "w1");
        Namespace namespace = Namespace.of("org/model", spec);
        try (BlockLoader other = new BlockLoader(
                LoaderConfig.of(namespace, List.of(server.address())).withPassword("secret"))) {
            assertThat(other.load(requests(1, 200_000), AMPLE).prefix()).isEqualTo(1);
        }

        assertThat(server.users).containsExactly("org/model#" + namespace.fingerprint() + "/secret");
    }

    @Test
    void aHoleEndsThePrefixAndNothingElse() {
        server.take(id(3));
        List<LoadRequest> requests = requests(6, 200_000);

        LoadResult result = loader.load(requests, AMPLE);

        assertOthersLoaded(requests, result, 3);
        assertThat(result.blocks().get(3)).isEqualTo(new BlockLoad(id(3), LoadStatus.MISS, 0, ""));
        assertThat(result.prefix()).isEqualTo(3);
        assertThat(requests.get(3).destination().remaining()).isEqualTo(200_000);
    }

    @Test
    void theSameBlockTwiceGoesToBothPlaces() {
        List<LoadRequest> requests =
                List.of(new LoadRequest(id(1), room(200_000, true)), new LoadRequest(id(1), room(200_000, true)));

        assertThat(loader.load(requests, AMPLE).prefix()).isEqualTo(2);
        assertThat(requests).allMatch(request -> holds(request.destination(), server.block(id(1))));
    }

    @Test
    void nothingAskedNothingDone() {
        assertThat(loader.load(List.of(), AMPLE).blocks()).isEmpty();
        assertThat(server.accepted.get()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"WRONG_CRC", "WRONG_BYTE"})
    void wrongBytesOnceAreReportedAndReadAgain(Fault fault) {
        server.next(id(4), fault);
        List<LoadRequest> requests = requests(10, 200_000);

        LoadResult result = loader.load(requests, AMPLE);

        assertOthersLoaded(requests, result, -1);
        assertThat(server.verified).containsExactly(id(4));
        assertThat(server.reads(id(4))).isEqualTo(2);
        assertThat(loader.stats().wrongCrcs()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRONG_CRC", "WRONG_BYTE"})
    void wrongBytesTwiceAreCorrupt(Fault fault) {
        server.always(id(4), fault);
        List<LoadRequest> requests = requests(10, 200_000);

        LoadResult result = loader.load(requests, AMPLE);

        assertOthersLoaded(requests, result, 4);
        assertThat(result.blocks().get(4).status()).isEqualTo(LoadStatus.CORRUPT);
        assertThat(result.blocks().get(4).detail()).contains("CRC32C");
        assertThat(result.prefix()).isEqualTo(4);
        assertThat(requests.get(4).destination().remaining()).isEqualTo(200_000);
        assertThat(server.verified).containsExactly(id(4));
        assertThat(server.reads(id(4))).isEqualTo(2);
        assertThat(loader.stats().corrupt()).isEqualTo(1);
    }

    @Test
    void aDamagedCopyThatTheStoreDropsIsAMiss() {
        server.always(id(4), Fault.WRONG_BYTE);
        server.dropDamagedOnVerify = true;

        BlockLoad block = loader.load(List.of(new LoadRequest(id(4), room(200_000, true))), AMPLE)
                .blocks()
                .getFirst();

        assertThat(block.status()).isEqualTo(LoadStatus.MISS);
        assertThat(block.detail()).contains("damaged");
    }

    @ParameterizedTest
    @EnumSource(
            names = {"TORN", "CLOSE", "GARBAGE", "ENDLESS_LINE", "WRONG_BULK_LENGTH", "EMPTY_BLOCK", "TRY_AGAIN", "HANG"
            })
    void aFaultThatPassesIsRiddenOut(Fault fault) {
        server.next(id(4), fault);
        List<LoadRequest> requests = requests(10, 200_000);

        LoadResult result = loader.load(requests, AMPLE);

        assertOthersLoaded(requests, result, -1);
        assertThat(server.reads(id(4))).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"TORN", "CLOSE", "GARBAGE", "ENDLESS_LINE", "WRONG_BULK_LENGTH", "EMPTY_BLOCK"})
    void aFaultThatLastsStrikesItsBlockOnly(Fault fault) {
        server.always(id(4), fault);
        List<LoadRequest> requests = requests(10, 200_000);

        LoadResult result = loader.load(requests, AMPLE);

        assertOthersLoaded(requests, result, 4);
        assertThat(result.blocks().get(4).status()).isEqualTo(LoadStatus.UNSURE);
        assertThat(result.blocks().get(4).detail())
                .contains(Integer.toString(server.address().getPort()));
        // A few times, never for ever: three losses of its own, and those it shares with whatever stood before it.
        assertThat(server.reads(id(4))).isBetween(2, 5);
        assertThat(result.elapsed()).isLessThan(Duration.ofSeconds(2));
    }

    @ParameterizedTest
    @EnumSource(names = {"HANG", "HOLD_HALF", "TRICKLE"})
    void aBlockThatDoesNotComeIsLateAloneAndItsRoomIsLeftAlone(Fault fault) throws Exception {
        byte[] block = store(server, 4, 150_000);
        server.always(id(4), fault);
        List<LoadRequest> requests = requests(10, 200_000);
        Duration deadline = Duration.ofMillis(400);

        LoadResult result = loader.load(requests, deadline);

        assertThat(result.elapsed()).isBetween(deadline, deadline.plus(GRACE));
        assertOthersLoaded(requests, result, 4);
        assertThat(result.blocks().get(4).status()).isEqualTo(LoadStatus.LATE);
        ByteBuffer late = requests.get(4).destination();
        assertThat(holds(late, block)).isFalse();
        int before = Crc32c.of(TestBlocks.whole(late));
        server.letGo();
        // The rest of the block is on its way now; what a later load brings over the same node comes behind it.
        server.heal();
        for (int i = 0; i < 20; i++) {
            assertThat(loader.load(requests(10, 200_000), AMPLE).prefix()).isEqualTo(10);
        }
        assertThat(Crc32c.of(TestBlocks.whole(late))).isEqualTo(before);
    }

    @Test
    void tryAgainForeverIsUnsureByTheDeadline() {
        server.always(id(4), Fault.TRY_AGAIN);
        List<LoadRequest> requests = requests(10, 200_000);
        Duration deadline = Duration.ofMillis(200);

        LoadResult result = loader.load(requests, deadline);

        assertOthersLoaded(requests, result, 4);
        assertThat(result.blocks().get(4).status()).isEqualTo(LoadStatus.UNSURE);
        assertThat(result.blocks().get(4).detail()).contains("TRYAGAIN the log has not been read to its end");
        assertThat(result.elapsed()).isLessThan(deadline.plus(GRACE));
        assertThat(server.reads(id(4))).isBetween(2, 21);
    }

    @Test
    void anErrorIsRefusedInTheServersWords() {
        server.always(id(4), Fault.ERROR);
        List<LoadRequest> requests = requests(10, 200_000);

        LoadResult result = loader.load(requests, AMPLE);

        assertOthersLoaded(requests, result, 4);
        assertThat(result.blocks().get(4))
                .isEqualTo(new BlockLoad(id(4), LoadStatus.REFUSED, 0, "ERR the disk is on fire"));
        assertThat(server.reads(id(4))).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {100_000, 3_000_000})
    void aBlockThatDoesNotFitIsRefusedWithBothNumbers(int length) {
        store(server, 4, length);
        List<LoadRequest> requests = new ArrayList<>(requests(10, 200_000));
        requests.set(4, new LoadRequest(id(4), room(length - 1, true)));

        LoadResult result = loader.load(requests, AMPLE);

        assertOthersLoaded(requests, result, 4);
        assertThat(result.blocks().get(4).status()).isEqualTo(LoadStatus.REFUSED);
        assertThat(result.blocks().get(4).detail())
                .contains(Integer.toString(length))
                .contains(Integer.toString(length - 1));
        assertThat(Crc32c.of(TestBlocks.whole(requests.get(4).destination())))
                .isEqualTo(Crc32c.of(TestBlocks.whole(room(length - 1, true))));
    }

    @Test
    void aRefusedUserIsSaidSoForEveryBlock() {
        server.authError = "-WRONGPASS no such namespace";

        LoadResult result = loader.load(requests(10, 200_000), AMPLE);

        assertThat(statuses(result)).containsOnly(LoadStatus.REFUSED);
        assertThat(result.blocks()).allMatch(block -> block.detail().contains("WRONGPASS no such namespace"));
        assertThat(server.reads).isEmpty();
    }

    @Test
    void aNodeThatIsNotThereIsUnsureAtOnceAndFoundWhenItComesBack() throws IOException {
        int port = server.address().getPort();
        assertThat(loader.load(requests(10, 200_000), AMPLE).prefix()).isEqualTo(10);
        server.close();

        LoadResult result = loader.load(requests(10, 200_000), AMPLE);

        assertThat(statuses(result)).containsOnly(LoadStatus.UNSURE);
        assertThat(result.blocks()).allMatch(block -> block.detail().contains(Integer.toString(port)));
        assertThat(result.elapsed()).isLessThan(Duration.ofSeconds(2));

        server = server(port);
        tenBlocks();
        long end = System.nanoTime() + AMPLE.toNanos();
        LoadResult again = loader.load(requests(10, 200_000), AMPLE);
        while (again.prefix() < 10 && System.nanoTime() < end) {
            again = loader.load(requests(10, 200_000), AMPLE);
        }
        assertThat(statuses(again)).containsOnly(LoadStatus.LOADED);
    }

    @Test
    void connectionsThatBreakWhileIdleAreReplacedUnnoticed() throws IOException {
        for (int i = 0; i < 10; i++) {
            assertThat(statuses(loader.load(requests(10, 200_000), AMPLE))).containsOnly(LoadStatus.LOADED);
            server.cutConnections();
        }
    }

    @Test
    void aNodeThatAcceptsAndSaysNothingCostsItsDeadlineOnly() {
        server.silent = true;
        Duration deadline = Duration.ofMillis(150);

        LoadResult result = loader.load(requests(10, 200_000), deadline);

        assertThat(statuses(result)).containsOnly(LoadStatus.LATE);
        assertThat(result.elapsed()).isBetween(deadline, deadline.plus(GRACE));
    }

    @Test
    void anUnresolvableNameIsUnsure() {
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("no-such-host.invalid", 1);
        try (BlockLoader lost = new BlockLoader(config(List.of(nowhere)))) {
            LoadResult result = lost.load(requests(3, 10), AMPLE);

            assertThat(statuses(result)).containsOnly(LoadStatus.UNSURE);
            assertThat(result.blocks().getFirst().detail()).contains("no-such-host.invalid");
        }
    }

    @Test
    void noTimeIsNoLoad() {
        LoadResult result = loader.load(requests(3, 200_000), Duration.ZERO);

        assertThat(statuses(result)).containsOnly(LoadStatus.LATE);
        assertThat(server.accepted.get()).isZero();
    }

    @Test
    void theNodeThatKnowsIsFoundAndRemembered() throws IOException {
        try (ScriptedServer other = new ScriptedServer();
                BlockLoader both = loader(server, other)) {
            for (int i = 0; i < 10; i++) {
                (i % 2 == 0 ? server : other).always(id(i), Fault.TRY_AGAIN);
                other.put(id(i), server.block(id(i)));
            }
            List<LoadRequest> requests = requests(10, 200_000);

            assertOthersLoaded(requests, both.load(requests, AMPLE), -1);
            int[] asked = IntStream.range(0, 10)
                    .map(i -> server.reads(id(i)) + other.reads(id(i)))
                    .toArray();
            assertThat(IntStream.of(asked)).allMatch(count -> count == 1 || count == 2);

            assertThat(both.load(requests(10, 200_000), AMPLE).prefix()).isEqualTo(10);
            for (int i = 0; i < 10; i++) {
                assertThat(server.reads(id(i)) + other.reads(id(i)))
                        .as("block %d", i)
                        .isEqualTo(asked[i] + 1);
            }
        }
    }

    @Test
    void whatOneNodeCannotServeAnotherDoes() throws IOException {
        InetSocketAddress nobody;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = new InetSocketAddress(free.getInetAddress(), free.getLocalPort());
        }
        try (ScriptedServer hung = new ScriptedServer();
                BlockLoader three = new BlockLoader(config(List.of(nobody, hung.address(), server.address())))) {
            hung.silent = true;
            List<LoadRequest> requests = requests(10, 200_000);

            LoadResult result = three.load(requests, AMPLE);

            assertOthersLoaded(requests, result, -1);
            assertThat(result.elapsed()).isLessThan(Duration.ofSeconds(5));
        }
    }

    @Test
    void loadsOfManyThreadsShareTheSockets() throws Exception {
        List<CompletableFuture<Integer>> loads = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            CompletableFuture<Integer> done = new CompletableFuture<>();
            loads.add(done);
            Thread.ofPlatform().start(() -> {
                int whole = 0;
                for (int round = 0; round < 10; round++) {
                    List<LoadRequest> requests = requests(10, 200_000);
                    LoadResult result = loader.load(requests, AMPLE);
                    assertOthersLoaded(requests, result, -1);
                    whole += result.prefix();
                }
                done.complete(whole);
            });
        }

        for (CompletableFuture<Integer> load : loads) {
            assertThat(load.get(20, TimeUnit.SECONDS)).isEqualTo(100);
        }
        String lanes = "kvern-load-%s:%d-"
                .formatted(server.address().getHostString(), server.address().getPort());
        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().startsWith(lanes)))
                .hasSizeBetween(1, 4)
                .allMatch(Thread::isDaemon);
    }

    @Test
    void anInterruptEndsALoadAndStaysSet() throws Exception {
        server.always(id(4), Fault.HANG);
        CompletableFuture<LoadResult> result = new CompletableFuture<>();
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread caller = Thread.ofPlatform().start(() -> {
            result.complete(loader.load(requests(10, 200_000), AMPLE));
            flag.complete(Thread.currentThread().isInterrupted());
        });
        while (server.reads(id(4)) == 0) {
            Thread.onSpinWait();
        }

        caller.interrupt();

        assertThat(result.get(5, TimeUnit.SECONDS).blocks().get(4).status()).isEqualTo(LoadStatus.UNSURE);
        assertThat(flag.get(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void closingEndsALoadThatRuns() throws Exception {
        server.always(id(4), Fault.HANG);
        CompletableFuture<LoadResult> result =
                CompletableFuture.supplyAsync(() -> loader.load(requests(10, 200_000), AMPLE));
        while (server.reads(id(4)) == 0) {
            Thread.onSpinWait();
        }

        loader.close();

        BlockLoad block = result.get(5, TimeUnit.SECONDS).blocks().get(4);
        assertThat(block.status()).isEqualTo(LoadStatus.UNSURE);
        assertThat(block.detail()).contains("closed");
        assertThatThrownBy(() -> loader.load(requests(1, 10), AMPLE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void destinationsThatCannotWorkAreRefusedBeforeAnythingIsLoaded() {
        ByteBuffer whole = ByteBuffer.allocateDirect(1000);
        ByteBuffer heap = ByteBuffer.allocate(1000);
        assertRefused("overlap", whole.slice(0, 600), whole.slice(599, 100));
        assertRefused("overlap", heap.slice(0, 600), heap.slice(10, 10));
        assertRefused("read-only", whole.asReadOnlyBuffer());
        try (Arena confined = Arena.ofConfined()) {
            assertRefused("thread", confined.allocate(10).asByteBuffer());
        }
        Arena freed = Arena.ofShared();
        ByteBuffer gone = freed.allocate(10).asByteBuffer();
        freed.close();
        assertRefused("freed", gone);
        assertThat(server.accepted.get()).isZero();

        // Neighbours that only touch are fine, and so are empty rooms.
        Destinations.check(List.of(
                new LoadRequest(id(1), whole.slice(0, 500)),
                new LoadRequest(id(2), whole.slice(500, 500)),
                new LoadRequest(id(3), whole.slice(100, 0))));
    }

    private void assertRefused(String why, ByteBuffer... destinations) {
        List<LoadRequest> requests = IntStream.range(0, destinations.length)
                .mapToObj(i -> new LoadRequest(id(i), destinations[i]))
                .toList();
        assertThatThrownBy(() -> loader.load(requests, AMPLE))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aFullQueueRefusesWithItsLimit() {
        LoaderConfig small = new LoaderConfig(
                NAMESPACE,
                "",
                List.of(server.address()),
                1,
                1,
                2,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofMillis(10),
                0);
        for (int i = 0; i < 10; i++) {
            server.always(id(i), Fault.HANG);
        }
        try (BlockLoader narrow = new BlockLoader(small)) {
            LoadResult result = narrow.load(requests(10, 200_000), Duration.ofMillis(200));

            assertThat(statuses(result)).contains(LoadStatus.REFUSED).doesNotContain(LoadStatus.LOADED);
            assertThat(result.blocks().getLast().detail())
                    .contains("maxQueuedBlocks")
                    .contains("2 blocks");
        }
    }

    @Test
    void aChainIsMatchedUpToItsFirstHole() {
        List<BlockId> ids = IntStream.range(0, 10).mapToObj(TestBlocks::id).toList();
        long bytes = ids.stream().mapToLong(id -> server.block(id).length).sum();
        assertThat(loader.match(ids, AMPLE)).isEqualTo(new MatchResult(10, bytes, true));
        assertThat(server.matches.get()).isEqualTo(1);

        int third = server.take(id(3)).length;
        assertThat(third).isPositive();
        long leading =
                IntStream.range(0, 3).mapToLong(i -> server.block(id(i)).length).sum();
        assertThat(loader.match(ids, AMPLE)).isEqualTo(new MatchResult(3, leading, true));
        assertThat(server.matches.get()).isEqualTo(2);
        assertThat(loader.match(List.of(), AMPLE)).isEqualTo(new MatchResult(0, 0, true));
        assertThat(loader.stats().matches()).isEqualTo(3);
    }

    @Test
    void aMatchGoesOnWhereAnotherNodeKnowsMore() throws IOException {
        try (ScriptedServer other = new ScriptedServer();
                BlockLoader both = loader(server, other)) {
            List<BlockId> ids = IntStream.range(0, 10).mapToObj(TestBlocks::id).toList();
            long bytes = ids.stream().mapToLong(id -> server.block(id).length).sum();
            for (int i = 4; i < 7; i++) {
                other.put(id(i), server.take(id(i)));
            }

            assertThat(both.match(ids, AMPLE)).isEqualTo(new MatchResult(10, bytes, true));
        }
    }

    @Test
    void aMatchThatNobodyCanAnswerIsUncertain() throws IOException {
        List<BlockId> ids = IntStream.range(0, 10).mapToObj(TestBlocks::id).toList();
        server.unsureOfMatches = true;
        assertThat(loader.match(ids, AMPLE)).isEqualTo(new MatchResult(0, 0, false));

        server.silent = true;
        server.cutConnections();
        long start = System.nanoTime();
        assertThat(loader.match(ids, Duration.ofMillis(100))).isEqualTo(new MatchResult(0, 0, false));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(GRACE.plusMillis(100));

        server.close();
        assertThat(loader.match(ids, AMPLE)).isEqualTo(new MatchResult(0, 0, false));
    }
}
