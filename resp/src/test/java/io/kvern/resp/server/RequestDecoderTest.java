package io.kvern.resp.server;

import static io.kvern.resp.server.Wire.bytes;
import static io.kvern.resp.server.Wire.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(NoLeaks.class)
class RequestDecoderTest {
    private final RespServerConfig config = new Configs().build();
    private final BufferPool pool = new BufferPool(config.memoryBytes(), "test.memory.bytes");
    private final RequestDecoder decoder = new RequestDecoder(config, ByteBufAllocator.DEFAULT, pool);

    @AfterEach
    void nothingIsHeld() {
        decoder.close();
        assertThat(pool.inUse()).isZero();
        pool.close();
    }

    @Test
    void aRequestIsTheSameHoweverItIsTorn() {
        byte[] value = Wire.random(new Random(1), 100);
        byte[] wire = request(List.of(bytes("set"), bytes("id"), value));
        for (int cut = 0; cut <= wire.length; cut++) {
            List<List<byte[]>> commands = new ArrayList<>();
            feed(Arrays.copyOf(wire, cut), commands);
            feed(Arrays.copyOfRange(wire, cut, wire.length), commands);
            assertThat(commands).hasSize(1);
            assertThat(commands.getFirst()).containsExactly(bytes("set"), bytes("id"), value);
        }
    }

    @Test
    void theNameIsInCapitalsAndArgumentsAreReadInAnyOrder() {
        ByteBuf in = Unpooled.wrappedBuffer(request("kv.Match", "a", "", "ccc"));
        assertThat(decoder.decode(in)).isEqualTo(RequestDecoder.Outcome.COMMAND);
        RespCommand command = decoder.take();
        assertThat(command.name()).isEqualTo("KV.MATCH");
        assertThat(command.size()).isEqualTo(4);
        assertThat(command.text(3)).isEqualTo("ccc");
        assertThat(command.length(2)).isZero();
        assertThat(command.text(0)).isEqualTo("kv.Match");
        assertThat(command.argument(1)).isEqualTo(ByteBuffer.wrap(bytes("a")));
        assertThat(command.argument(1).isDirect()).isTrue();
        assertThatThrownBy(() -> command.argument(4)).isInstanceOf(IndexOutOfBoundsException.class);
        command.release();
    }

    @Test
    void aLargeArgumentHasOneBufferOfItsOwnSize() {
        byte[] value = Wire.random(new Random(2), 3 << 20);
        List<List<byte[]>> commands = new ArrayList<>();
        byte[] wire = request(List.of(bytes("SET"), bytes("id"), value));
        feed(Arrays.copyOf(wire, 100), commands);
        // Its memory is there as soon as its length is known.
        assertThat(pool.inUse()).isBetween(3L << 20, (3L << 20) + 8192);
        feed(Arrays.copyOfRange(wire, 100, wire.length), commands);
        assertThat(commands.getFirst().get(2)).isEqualTo(value);
    }

    @Test
    void aRetainedArgumentOutlivesItsCommand() {
        byte[] value = Wire.random(new Random(3), 100_000);
        decoder.decode(Unpooled.wrappedBuffer(request(List.of(bytes("SET"), bytes("id"), value))));
        RespCommand command = decoder.take();
        ByteBuf kept = command.retain(2);
        command.release();
        assertThat(pool.inUse()).isPositive();
        assertThat(kept.nioBuffer()).isEqualTo(ByteBuffer.wrap(value));
        kept.release();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "*1000000000\\r"
                        + "\\n"
                        + " | invalid multibulk length: 1000000000 arguments are over the limit of 64 (setting"
                        + " test.request.max.arguments)",
                "*abc\\r\\n | invalid multibulk length",
                "*12345678901234567890\\r\\n | invalid multibulk length",
                "*\\r\\n | invalid multibulk length",
                "*1\\n$1\\r\\n | invalid multibulk length",
                "*1\\r\\n*1\\r\\n | expected '$', got '*'",
                "*1\\r\\n:1\\r\\n | expected '$', got ':'",
                "*1\\r\\n$-1\\r\\n | invalid bulk length",
                "*1\\r\\n$x\\r\\n | invalid bulk length",
                "*1\\r\\n$--1\\r\\n | invalid bulk length",
                "*1\\r"
                        + "\\n"
                        + "$4194305\\r"
                        + "\\n"
                        + " | invalid bulk length: a request of at least 4194305 bytes is over the limit of 4194304"
                        + " (setting test.request.max.bytes)",
                "*1\\r"
                        + "\\n"
                        + "$999999999999999999\\r"
                        + "\\n"
                        + " | invalid bulk length: a request of at least 999999999999999999 bytes is over the limit of"
                        + " 4194304 (setting test.request.max.bytes)",
                "*1\\r\\n$4\\r\\nPINGxx | expected CR LF behind the bytes of an argument, got 'x'",
                "PING \"a | unbalanced quotes in request",
                "'a'b | unbalanced quotes in request",
            })
    void whatIsNoRequestIsRefused(String wire, String complaint) {
        byte[] sent = bytes(wire.replace("\\r", "\r").replace("\\n", "\n") + "\n");
        assertThatThrownBy(() -> feed(sent, new ArrayList<>()))
                .isInstanceOf(ProtocolErrorException.class)
                .hasMessage("Protocol error: " + complaint);
        assertThat(pool.inUse()).isZero();
    }

    @Test
    void theLimitCountsAllArgumentsTogether() {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        wire.writeBytes(bytes("*3\r\n$1\r\nX\r\n$3000000\r\n"));
        wire.writeBytes(new byte[3_000_000]);
        wire.writeBytes(bytes("\r\n$1194304\r\n"));
        assertThatThrownBy(() -> feed(wire.toByteArray(), new ArrayList<>()))
                .hasMessageContaining("at least 4194305 bytes is over the limit of 4194304");
    }

    @Test
    void anEndlessInlineRequestIsRefused() {
        assertThatThrownBy(() -> feed(new byte[RequestDecoder.MAX_INLINE_BYTES + 1], new ArrayList<>()))
                .hasMessage("Protocol error: too big inline request: it is over the limit of 4096 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*0\r\n", "*-1\r\n", "\r\n", "  \r\n\n"})
    void anEmptyRequestIsNone(String wire) {
        List<List<byte[]>> commands = new ArrayList<>();
        feed(bytes(wire + "PING\r\n"), commands);
        assertThat(commands).hasSize(1);
        assertThat(decoder.midRequest()).isFalse();
    }

    @Test
    void inlineWordsAreSplitAsByRedisCli() {
        List<List<byte[]>> commands = new ArrayList<>();
        feed(bytes("set  k\t\"a\\x41\\n\\\"b\" 'c\\'d\\n' \"\"\n"), commands);
        assertThat(commands.getFirst())
                .containsExactly(bytes("set"), bytes("k"), bytes("aA\n\"b"), bytes("c'd\\n"), bytes(""));
    }

    @Test
    void anArgumentWaitsForMemory() {
        ByteBuf hog = acquire(7 << 20);
        byte[] value = Wire.random(new Random(4), 2 << 20);
        ByteBuf in = Unpooled.wrappedBuffer(request(List.of(bytes("SET"), bytes("id"), value)));
        assertThat(decoder.decode(in)).isEqualTo(RequestDecoder.Outcome.BLOCKED);
        assertThat(decoder.decode(in)).isEqualTo(RequestDecoder.Outcome.BLOCKED);
        hog.release();
        decoder.supply(acquire(decoder.wantedBytes()));
        assertThat(decoder.decode(in)).isEqualTo(RequestDecoder.Outcome.COMMAND);
        RespCommand command = decoder.take();
        assertThat(command.argument(2)).isEqualTo(ByteBuffer.wrap(value));
        command.release();
    }

    /** Random requests, torn at random, come out as they went in. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void manyRequestsSurviveAnyTearing(long seed) {
        Random random = new Random(seed);
        List<List<byte[]>> sent = new ArrayList<>();
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        for (int i = 0; i < 200; i++) {
            List<byte[]> arguments = new ArrayList<>();
            int count = 1 + random.nextInt(random.nextInt(10) == 0 ? 64 : 5);
            for (int j = 0; j < count; j++) {
                int bound = new int[] {4, 600, 20_000, 60_000}[random.nextInt(j == 0 ? 1 : 4)];
                arguments.add(Wire.random(random, random.nextInt(bound)));
            }
            sent.add(arguments);
            wire.writeBytes(request(arguments));
        }
        List<List<byte[]>> received = new ArrayList<>();
        byte[] all = wire.toByteArray();
        for (int at = 0; at < all.length; ) {
            int end = Math.min(all.length, at + 1 + random.nextInt(random.nextBoolean() ? 7 : 100_000));
            feed(Arrays.copyOfRange(all, at, end), received);
            at = end;
        }
        assertThat(received).as("seed %d", seed).hasSameSizeAs(sent);
        for (int i = 0; i < sent.size(); i++) {
            assertThat(received.get(i)).as("seed %d, request %d", seed, i).containsExactlyElementsOf(sent.get(i));
        }
    }

    /** Damaged requests end in a protocol error or in other commands, never in anything else, and never hold memory. */
    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void garbageIsRefusedOrHarmless(long seed) {
        Random random = new Random(seed);
        int refused = 0;
        for (int round = 0; round < 1_000; round++) {
            byte[] wire = request(List.of(bytes("SET"), bytes("id"), Wire.random(random, random.nextInt(40))));
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                byte[] alphabet = bytes("*$-+:0123456789\r\n\"' x");
                wire[random.nextInt(wire.length)] =
                        random.nextBoolean() ? (byte) random.nextInt() : alphabet[random.nextInt(alphabet.length)];
            }
            try (RequestDecoder fresh = new RequestDecoder(config, ByteBufAllocator.DEFAULT, pool)) {
                feed(fresh, wire, new ArrayList<>());
                feed(fresh, wire, new ArrayList<>());
            } catch (ProtocolErrorException e) {
                refused++;
            }
            assertThat(pool.inUse()).as("seed %d, round %d", seed, round).isZero();
        }
        assertThat(refused).as("seed %d", seed).isPositive();
    }

    private ByteBuf acquire(int bytes) {
        return Objects.requireNonNull(pool.tryAcquire(bytes));
    }

    private void feed(byte[] wire, List<List<byte[]>> commands) {
        feed(decoder, wire, commands);
    }

    private static void feed(RequestDecoder decoder, byte[] wire, List<List<byte[]>> commands) {
        ByteBuf in = Unpooled.wrappedBuffer(wire);
        while (true) {
            switch (decoder.decode(in)) {
                case MORE -> {
                    assertThat(in.isReadable()).isFalse();
                    return;
                }
                case COMMAND -> {
                    RespCommand command = decoder.take();
                    List<byte[]> arguments = new ArrayList<>();
                    for (int i = 0; i < command.size(); i++) {
                        byte[] argument = new byte[command.length(i)];
                        command.argument(i).get(argument);
                        arguments.add(argument);
                    }
                    commands.add(arguments);
                    command.release();
                }
                case BLOCKED -> throw new AssertionError("out of memory budget");
            }
        }
    }
}
