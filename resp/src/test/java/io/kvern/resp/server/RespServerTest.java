package io.kvern.resp.server;

import static io.kvern.resp.server.Wire.bytes;
import static io.kvern.resp.server.Wire.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.KvernException;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
@Timeout(30)
class RespServerTest {
    private final Configs configs = new Configs();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger entered = new AtomicInteger();
    private final AtomicInteger sessionsClosed = new AtomicInteger();
    private RespServer server = RespServer.start(configs.build(), TestSession::new);

    /** Answers commands that exercise each kind of reply. */
    private final class TestSession implements RespSession {
        @Override
        public void handle(RespCommand command, RespReply reply) throws Exception {
            switch (command.name()) {
                case "ECHO" -> reply.bulk(command.argument(1));
                case "COUNT" -> reply.integer(command.size());
                case "LENGTH" -> reply.integer(command.length(1));
                case "MANY" -> many(reply, Integer.parseInt(command.text(1)), Integer.parseInt(command.text(2)));
                case "KINDS" -> kinds(reply);
                case "WAIT" -> {
                    entered.incrementAndGet();
                    gate.await();
                    reply.simple("waited");
                }
                case "FAIL" -> throw new IllegalStateException("on\r\npurpose");
                case "FAILHALF" -> {
                    reply.array(2);
                    reply.integer(1);
                    throw new IllegalStateException("on purpose, half way");
                }
                case "SHORT" -> {
                    reply.bulkHeader(10);
                    reply.write(reply.buffer(5).writeBytes(bytes("12345")));
                }
                case "NOTHING" -> {}
                case "QUIT" -> {
                    reply.simple("OK");
                    reply.thenClose();
                }
                default -> reply.error("ERR unknown");
            }
        }

        private void many(RespReply reply, int count, int size) throws InterruptedException {
            reply.array(count);
            for (int i = 0; i < count; i++) {
                ByteBuf piece = reply.buffer(size).writeZero(size);
                reply.bulkHeader(size);
                reply.write(piece);
                reply.bulkEnd();
            }
        }

        private void kinds(RespReply reply) {
            reply.array(8);
            reply.simple("a\r\nb");
            reply.error("ERR c\nd");
            reply.integer(-7);
            reply.bulk("é");
            reply.bulk(new byte[0]);
            reply.nullBulk();
            reply.nullArray();
            reply.array(0);
        }

        @Override
        public void close() {
            sessionsClosed.incrementAndGet();
        }
    }

    private void restart() {
        server.close();
        server = RespServer.start(configs.build(), TestSession::new);
    }

    @AfterEach
    void nothingIsHeld() {
        gate.countDown();
        server.close();
        assertThat(server.stats().connections()).isZero();
        assertThat(server.stats().memoryInUse()).isZero();
        assertThat(sessionsClosed.get()).isEqualTo((int) server.stats().accepted());
    }

    @Test
    void eachKindOfReplyHasItsBytes() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            String expected = "*8\r\n+a  b\r\n-ERR c d\r\n:-7\r\n$2\r\né\r\n$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n";
            assertThat(client.send("KINDS").bytes(bytes(expected).length)).isEqualTo(bytes(expected));
        }
    }

    @Test
    void pipelinedCommandsAreAnsweredInOrder() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            ByteArrayOutputStream wire = new ByteArrayOutputStream();
            for (int i = 0; i < 5000; i++) {
                wire.writeBytes(request("ECHO", "n" + i));
            }
            client.sendRaw(wire.toByteArray());
            for (int i = 0; i < 5000; i++) {
                assertThat(client.line()).isEqualTo("$" + ("n" + i).length());
                assertThat(client.line()).isEqualTo("n" + i);
            }
        }
    }

    @Test
    void valuesOfAnySizeComeBackAsTheyWent() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            Random random = new Random(5);
            for (int size : new int[] {0, 1, 511, 512, 16 << 10, 100_000, 1 << 20, 3_999_999}) {
                byte[] value = Wire.random(random, size);
                client.sendRaw(request(List.of(bytes("ECHO"), value)));
                assertThat(client.line()).isEqualTo("$" + size);
                assertThat(client.bytes(size)).isEqualTo(value);
                assertThat(client.line()).isEmpty();
            }
        }
    }

    @Test
    void withoutTheNativeLibraryNioServes() throws IOException {
        assertThat(Transport.best()).isEqualTo(Transport.EPOLL);
        server.close();
        server = RespServer.start(configs.build(), TestSession::new, Transport.NIO);
        valuesOfAnySizeComeBackAsTheyWent();
        aClientThatOnlyEndsItsInputStillGetsItsReplies();
    }

    @Test
    void aRequestMayComeByteByByte() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            for (byte b : request("ECHO", "slowly")) {
                client.sendRaw(new byte[] {b});
            }
            assertThat(client.line()).isEqualTo("$6");
            assertThat(client.line()).isEqualTo("slowly");
            assertThat(client.sendRaw("ECHO inline\r\n").line()).isEqualTo("$6");
        }
    }

    @Test
    void whatIsNoRequestIsAnsweredAfterAllBeforeItAndClosed() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send("ECHO", "before").sendRaw("*1\r\n$-5\r\n").send("ECHO", "after");
            assertThat(new String(client.rest(), StandardCharsets.UTF_8))
                    .isEqualTo("$6\r\nbefore\r\n-ERR Protocol error: invalid bulk length\r\n");
        }
        assertThat(server.stats().protocolErrors()).isEqualTo(1);
    }

    @Test
    void anOversizedRequestIsAnsweredWhileItIsStillBeingSent() throws Exception {
        try (RawClient client = new RawClient(server.port());
                ExecutorService sender = Executors.newSingleThreadExecutor()) {
            client.sendRaw("*2\r\n$4\r\nECHO\r\n$100000000\r\n");
            Future<?> sending = sender.submit(() -> {
                byte[] piece = new byte[1 << 20];
                for (int i = 0; i < 100; i++) {
                    client.sendRaw(piece);
                }
                return null;
            });
            assertThat(client.line())
                    .isEqualTo("-ERR Protocol error: invalid bulk length: a request of at least 100000004 bytes is over"
                            + " the limit of 4194304 (setting test.request.max.bytes)");
            assertThat(client.closedByServer()).isTrue();
            assertThat(server.stats().memoryInUse()).isZero();
            client.reset();
            assertThatThrownBy(() -> sending.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void aClientThatLeavesInTheMiddleOfARequestTakesItsMemoryAlong() throws IOException {
        for (int i = 0; i < 20; i++) {
            RawClient client = new RawClient(server.port());
            client.sendRaw("*2\r\n$4\r\nECHO\r\n$4000000\r\n").sendRaw(new byte[100_000]);
            await("its memory", () -> server.stats().memoryInUse() > 0);
            if (i % 2 == 0) {
                client.reset();
            } else {
                client.close();
            }
            await("its memory back", () -> server.stats().memoryInUse() == 0);
        }
        await("all gone", () -> server.stats().connections() == 0);
    }

    @Test
    void aClientThatLeavesInTheMiddleOfAReplyTakesItsMemoryAlong() throws IOException {
        for (int i = 0; i < 10; i++) {
            RawClient client = new RawClient(server.port());
            client.send("MANY", "1000", "1000000");
            assertThat(client.line()).isEqualTo("*1000");
            client.reset();
            await("its memory back", () -> server.stats().memoryInUse() == 0);
        }
        await("all gone", () -> server.stats().connections() == 0);
    }

    @Test
    void aSlowReaderHoldsLittleAndIsCutOff() throws IOException {
        configs.replyTimeout = Duration.ofMillis(300);
        restart();
        try (RawClient slow = new RawClient(server.port(), 4096);
                RawClient other = new RawClient(server.port())) {
            slow.send("MANY", "1000", "500000");
            await("the slow one to stall", () -> server.stats().memoryInUse() > 0);
            for (int i = 0; i < 50; i++) {
                assertThat(server.stats().memoryInUse()).isLessThan(3 << 20);
                assertThat(other.send("ECHO", "x").line()).isEqualTo("$1");
                assertThat(other.line()).isEqualTo("x");
            }
            await("the slow one to be cut off", () -> server.stats().timeouts() == 1);
            await("its memory back", () -> server.stats().memoryInUse() == 0);
        }
    }

    @Test
    void aReaderThatStopsBehindASmallReplyIsCutOffToo() throws IOException {
        configs.replyTimeout = Duration.ofMillis(200);
        restart();
        try (RawClient slow = new RawClient(server.port(), 4096)) {
            // Fits into the output's allowance, so that no command waits, but not into the socket.
            for (int i = 0; i < 20; i++) {
                slow.send("MANY", "1", "400000");
            }
            await("the slow one to be cut off", () -> server.stats().timeouts() == 1);
            await("gone", () -> server.stats().connections() == 0);
        }
    }

    @Test
    void requestsBeyondTheBudgetWaitAndAreServedWhenItIsFree() throws Exception {
        try (ExecutorService clients = Executors.newCachedThreadPool()) {
            List<Future<?>> runs = new ArrayList<>();
            for (int c = 0; c < 8; c++) {
                byte[] value = Wire.random(new Random(c), 3_000_000);
                runs.add(clients.submit(() -> {
                    try (RawClient client = new RawClient(server.port())) {
                        for (int i = 0; i < 5; i++) {
                            client.sendRaw(request(List.of(bytes("LENGTH"), value)));
                            assertThat(client.line()).isEqualTo(":3000000");
                            assertThat(server.stats().memoryInUse()).isLessThanOrEqualTo(8 << 20);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        }
    }

    @Test
    void aRequestThatFindsNoMemoryInTimeIsRefused() throws IOException {
        configs.memoryWait = Duration.ofMillis(200);
        restart();
        try (RawClient first = new RawClient(server.port());
                RawClient second = new RawClient(server.port());
                RawClient third = new RawClient(server.port())) {
            for (RawClient hog : List.of(first, second)) {
                hog.sendRaw("*2\r\n$6\r\nLENGTH\r\n$3600000\r\n");
            }
            await("the budget to be spent", () -> server.stats().memoryInUse() > 7_300_000);
            third.sendRaw("*2\r\n$6\r\nLENGTH\r\n$3000000\r\n").sendRaw(new byte[10_000]);
            assertThat(third.line())
                    .contains("-ERR a request waited 200 ms for 3000004 bytes of memory")
                    .contains("of 8388608 are in use (setting test.memory.bytes)");
            assertThat(third.closedByServer()).isTrue();
            assertThat(first.sendRaw(new byte[3_600_000]).sendRaw("\r\n").line())
                    .isEqualTo(":3600000");
        }
    }

    @Test
    void aStalledRequestIsGivenUp() throws IOException {
        configs.requestTimeout = Duration.ofMillis(200);
        restart();
        try (RawClient client = new RawClient(server.port())) {
            client.send("COUNT").sendRaw("*2\r\n$4\r\nEC");
            assertThat(client.line()).isEqualTo(":1");
            assertThat(client.line())
                    .isEqualTo("-ERR a request was not complete within 200 ms (setting test.request.timeout)");
            assertThat(client.closedByServer()).isTrue();
        }
    }

    @Test
    void anIdleConnectionIsClosedAndABusyOneIsNot() throws IOException {
        configs.idleTimeout = Duration.ofMillis(200);
        restart();
        try (RawClient idle = new RawClient(server.port());
                RawClient busy = new RawClient(server.port())) {
            busy.send("WAIT");
            assertThat(idle.closedByServer()).isTrue();
            gate.countDown();
            assertThat(busy.line()).isEqualTo("+waited");
        }
    }

    @Test
    void aFullLaneStopsReadingAndGoesOnLater() throws Exception {
        try (RawClient client = new RawClient(server.port());
                ExecutorService sender = Executors.newSingleThreadExecutor()) {
            client.send("WAIT");
            byte[] value = new byte[100_000];
            Future<?> sending = sender.submit(() -> {
                for (int i = 0; i < 400; i++) {
                    client.sendRaw(request(List.of(bytes("LENGTH"), value)));
                }
                return null;
            });
            await("the lane to be full", () -> server.stats().memoryInUse() > 1_000_000);
            // 40 MB were sent, or would be: 1 MiB and one request of it wait here.
            assertThat(server.stats().memoryInUse()).isLessThan(1_400_000);
            gate.countDown();
            assertThat(client.line()).isEqualTo("+waited");
            for (int i = 0; i < 400; i++) {
                assertThat(client.line()).isEqualTo(":100000");
            }
            sending.get();
        }
    }

    @Test
    void aWaitingCommandHoldsUpNobodyElse() throws IOException {
        List<RawClient> waiting = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            waiting.add(new RawClient(server.port()).send("WAIT"));
        }
        await("all to wait", () -> entered.get() == 40);
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.send("COUNT", "1").line()).isEqualTo(":2");
        }
        gate.countDown();
        for (RawClient client : waiting) {
            assertThat(client.line()).isEqualTo("+waited");
            client.close();
        }
    }

    @Test
    void manyClientsAtOnceGetTheirOwn() throws Exception {
        try (ExecutorService clients = Executors.newCachedThreadPool()) {
            List<Future<?>> runs = new ArrayList<>();
            for (int c = 0; c < 50; c++) {
                Random random = new Random(200 + c);
                runs.add(clients.submit(() -> {
                    try (RawClient client = new RawClient(server.port())) {
                        for (int i = 0; i < 40; i++) {
                            byte[] value = Wire.random(random, random.nextInt(40_000));
                            client.sendRaw(request(List.of(bytes("ECHO"), value)));
                            assertThat(client.line()).isEqualTo("$" + value.length);
                            assertThat(client.bytes(value.length)).isEqualTo(value);
                            assertThat(client.line()).isEmpty();
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        }
        assertThat(server.stats().commands()).isEqualTo(2000);
    }

    @Test
    void clientsBeyondTheLimitAreTurnedAway() throws IOException {
        configs.maxConnections = 2;
        restart();
        try (RawClient first = new RawClient(server.port());
                RawClient second = new RawClient(server.port())) {
            assertThat(first.send("COUNT").line()).isEqualTo(":1");
            assertThat(second.send("COUNT").line()).isEqualTo(":1");
            try (RawClient third = new RawClient(server.port())) {
                assertThat(third.line())
                        .isEqualTo("-ERR max number of clients reached: 2 (setting test.max.connections)");
                assertThat(third.closedByServer()).isTrue();
            }
        }
        await("room", () -> server.stats().connections() == 0);
        try (RawClient fourth = new RawClient(server.port())) {
            assertThat(fourth.send("COUNT").line()).isEqualTo(":1");
        }
        assertThat(server.stats().rejected()).isEqualTo(1);
    }

    @Test
    void aFailingCommandIsAnErrorAndTheNextOneRuns() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.send("FAIL").line()).isEqualTo("-ERR internal error: IllegalStateException: on  purpose");
            assertThat(client.send("NOTHING").line())
                    .isEqualTo("-ERR internal error: IllegalStateException: the reply to NOTHING is not complete");
            assertThat(client.send("COUNT").line()).isEqualTo(":1");
        }
    }

    @Test
    void halfAReplyIsNeverTakenForAWholeOne() throws IOException {
        for (String command : List.of("FAILHALF", "SHORT")) {
            try (RawClient client = new RawClient(server.port())) {
                client.send(command).send("COUNT");
                assertThat(new String(client.rest(), StandardCharsets.UTF_8))
                        .doesNotContain(":1\r\n:1")
                        .doesNotContain("internal");
            }
        }
    }

    @Test
    void quitAnswersAndClosesAndDropsWhatFollows() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.sendRaw("QUIT\r\nCOUNT\r\n");
            assertThat(client.rest()).isEqualTo(bytes("+OK\r\n"));
        }
    }

    @Test
    void aClientThatOnlyEndsItsInputStillGetsItsReplies() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send("WAIT").send("COUNT").endInput();
            await("the command to run", () -> entered.get() == 1);
            gate.countDown();
            assertThat(client.rest()).isEqualTo(bytes("+waited\r\n:1\r\n"));
        }
    }

    @Test
    void closingAnswersWhatCameAndTakesNoMore() throws Exception {
        try (RawClient client = new RawClient(server.port());
                RawClient idle = new RawClient(server.port());
                ExecutorService closer = Executors.newSingleThreadExecutor()) {
            client.send("WAIT").send("COUNT");
            await("the command to run", () -> entered.get() == 1);
            Future<?> closed = closer.submit(() -> server.close());
            assertThat(idle.closedByServer()).isTrue();
            assertThatThrownBy(() -> new RawClient(server.port()).close()).isInstanceOf(IOException.class);
            gate.countDown();
            assertThat(client.rest()).isEqualTo(bytes("+waited\r\n:1\r\n"));
            closed.get();
        }
    }

    @Test
    void closingEndsAtItsDeadline() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send("WAIT");
            await("the command to run", () -> entered.get() == 1);
            long before = System.nanoTime();
            server.close(Duration.ofMillis(100));
            assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(8));
            assertThat(client.closedByServer()).isTrue();
            gate.countDown();
            await("the command to end", () -> server.stats().connections() == 0);
        }
    }

    @Test
    void anAddressInUseIsNamed() {
        RespServerConfig taken = at(server.port());
        assertThatThrownBy(() -> RespServer.start(taken, TestSession::new).close())
                .isInstanceOf(KvernException.class)
                .hasMessageContaining("cannot listen on 127.0.0.1:%d (setting test.listen)".formatted(server.port()));
    }

    private RespServerConfig at(int port) {
        RespServerConfig c = configs.build();
        return new RespServerConfig(
                c.settings(),
                c.host(),
                port,
                c.ioThreads(),
                c.maxConnections(),
                c.maxRequestBytes(),
                c.maxArguments(),
                c.maxPipelinedBytes(),
                c.maxPipelinedCommands(),
                c.memoryBytes(),
                c.memoryWait(),
                c.idleTimeout(),
                c.requestTimeout(),
                c.replyTimeout());
    }

    /** Polls, as what happens inside the server has no event to wait for. */
    private static void await(String what, BooleanSupplier condition) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("still waiting for " + what).isLessThan(until);
            LockSupport.parkNanos(500_000);
        }
    }
}
