package io.kvern.resp.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into commands, however it was torn. Nothing is gathered but arguments, and an argument is copied
 * once, into memory that is asked for when its length is known and within the limits:
 *
 * <pre>
 *  *count\r\n  ( $length\r\n  bytes \r\n ) × count        or        word word word\n  (inline)
 * </pre>
 *
 * One thread. After a {@link ProtocolErrorException} only {@link #close} may follow.
 */
final class RequestDecoder implements AutoCloseable {
    /** What the bytes given have led to. */
    enum Outcome {
        /** All were taken; more are needed. */
        MORE,
        /** A command is complete: {@link #take} it. */
        COMMAND,
        /** An argument waits for {@link #wantedBytes} of memory: {@link #supply} it. */
        BLOCKED
    }

    private enum State {
        START,
        COUNT,
        MARK,
        LENGTH,
        MEMORY,
        BYTES,
        END_CR,
        END_LF,
        INLINE
    }

    /** Chunk of a small command. Outside of the memory budget. */
    static final int FIRST_CHUNK_BYTES = 512;

    private static final int NEXT_CHUNK_BYTES = 16 << 10;

    /** Longest inline request: they are for people at a terminal. */
    static final int MAX_INLINE_BYTES = 4 << 10;

    private final RespServerConfig config;
    private final ByteBufAllocator small;
    private final BufferPool large;

    private State state = State.START;
    private final DecimalParser number = new DecimalParser();
    private List<ByteBuf> chunks = new ArrayList<>();
    private int arguments;
    private int missing;
    private long requestBytes;
    private int length;
    private int filled;
    private byte[] line = new byte[0];
    private int lineLength;
    private @Nullable RespCommand complete;

    RequestDecoder(RespServerConfig config, ByteBufAllocator small, BufferPool large) {
        this.config = config;
        this.small = small;
        this.large = large;
    }

    /** Takes bytes from {@code in}, up to the end of one command at most. */
    Outcome decode(ByteBuf in) {
        while (true) {
            if (state == State.MEMORY) {
                if (!claimChunk()) {
                    return Outcome.BLOCKED;
                }
                openArgument();
                continue;
            }
            if (state == State.BYTES && filled == length) {
                state = State.END_CR;
            }
            if (!in.isReadable()) {
                return Outcome.MORE;
            }
            if (step(in)) {
                return Outcome.COMMAND;
            }
        }
    }

    /** The complete command, which is the caller's to release. */
    RespCommand take() {
        RespCommand command = complete;
        if (command == null) {
            throw new IllegalStateException("no command is complete");
        }
        complete = null;
        return command;
    }

    /** Size of the buffer that the decoder is blocked on. */
    int wantedBytes() {
        return Math.max(length + RespCommand.LENGTH_BYTES, NEXT_CHUNK_BYTES);
    }

    /** Hands over an empty buffer of {@link #wantedBytes}, which ends {@link Outcome#BLOCKED}. */
    void supply(ByteBuf memory) {
        chunks.add(memory);
    }

    /** Whether a request has begun and is not complete. */
    boolean midRequest() {
        return state != State.START;
    }

    /** Drops a request that is not complete. */
    @Override
    public void close() {
        chunks.forEach(ByteBuf::release);
        chunks = new ArrayList<>();
        RespCommand command = complete;
        if (command != null) {
            command.release();
            complete = null;
        }
    }

    /** @return whether a command is complete */
    private boolean step(ByteBuf in) {
        switch (state) {
            case START -> {
                if (in.getByte(in.readerIndex()) == '*') {
                    in.skipBytes(1);
                    number.begin();
                    state = State.COUNT;
                } else {
                    state = State.INLINE;
                }
            }
            case COUNT -> {
                if (number.take(in, "invalid multibulk length")) {
                    beginRequest(number.value());
                }
            }
            case MARK -> {
                byte mark = in.readByte();
                if (mark != '$') {
                    throw new ProtocolErrorException("expected '$', got '%s'".formatted(printable(mark)));
                }
                number.begin();
                state = State.LENGTH;
            }
            case LENGTH -> {
                if (number.take(in, "invalid bulk length")) {
                    beginArgument(number.value());
                }
            }
            case BYTES -> {
                int count = Math.min(length - filled, in.readableBytes());
                chunks.getLast().writeBytes(in, count);
                filled += count;
            }
            case END_CR -> {
                expect(in.readByte(), '\r');
                state = State.END_LF;
            }
            case END_LF -> {
                expect(in.readByte(), '\n');
                arguments++;
                missing--;
                state = State.MARK;
                return missing == 0 && completeRequest();
            }
            case INLINE -> {
                return takeInline(in);
            }
            case MEMORY -> throw new AssertionError("handled before");
        }
        return false;
    }

    private void beginRequest(long count) {
        if (count > config.maxArguments()) {
            throw new ProtocolErrorException(
                    "invalid multibulk length: %d arguments are over the limit of %d (setting %s)"
                            .formatted(count, config.maxArguments(), config.setting("request.max.arguments")));
        }
        requestBytes = 0;
        missing = (int) Math.max(count, 0);
        // An empty request is no request, as in Redis.
        state = missing == 0 ? State.START : State.MARK;
    }

    private void beginArgument(long announced) {
        if (announced < 0) {
            throw new ProtocolErrorException("invalid bulk length");
        }
        long total = requestBytes + announced;
        if (total < 0 || total > config.maxRequestBytes()) {
            throw new ProtocolErrorException(
                    "invalid bulk length: a request of at least %s bytes is over the limit of %d (setting %s)"
                            .formatted(
                                    Long.toUnsignedString(total),
                                    config.maxRequestBytes(),
                                    config.setting("request.max.bytes")));
        }
        requestBytes = total;
        length = (int) announced;
        state = State.MEMORY;
    }

    /** Makes the last chunk one with room for the argument; false where that has to wait. */
    private boolean claimChunk() {
        int needed = length + RespCommand.LENGTH_BYTES;
        if (!chunks.isEmpty() && chunks.getLast().writableBytes() >= needed) {
            return true;
        }
        if (chunks.isEmpty() && needed <= FIRST_CHUNK_BYTES) {
            chunks.add(small.directBuffer(FIRST_CHUNK_BYTES, FIRST_CHUNK_BYTES));
            return true;
        }
        ByteBuf memory = large.tryAcquire(wantedBytes());
        return memory != null && chunks.add(memory);
    }

    private void openArgument() {
        chunks.getLast().writeInt(length);
        filled = 0;
        state = State.BYTES;
    }

    private boolean completeRequest() {
        complete = new RespCommand(chunks, arguments);
        chunks = new ArrayList<>();
        arguments = 0;
        state = State.START;
        return true;
    }

    private boolean takeInline(ByteBuf in) {
        int end = in.indexOf(in.readerIndex(), in.writerIndex(), (byte) '\n');
        int count = (end < 0 ? in.writerIndex() : end) - in.readerIndex();
        if (lineLength + count > MAX_INLINE_BYTES) {
            throw new ProtocolErrorException(
                    "too big inline request: it is over the limit of %d bytes".formatted(MAX_INLINE_BYTES));
        }
        if (line.length == 0) {
            line = new byte[MAX_INLINE_BYTES];
        }
        in.readBytes(line, lineLength, count);
        lineLength += count;
        if (end < 0) {
            return false;
        }
        in.skipBytes(1);
        List<byte[]> words = InlineWords.split(line, lineLength);
        line = new byte[0];
        lineLength = 0;
        state = State.START;
        if (words.isEmpty()) {
            return false;
        }
        int bytes = 0;
        for (byte[] word : words) {
            bytes += RespCommand.LENGTH_BYTES + word.length;
        }
        ByteBuf chunk = small.directBuffer(bytes, bytes);
        words.forEach(word -> chunk.writeInt(word.length).writeBytes(word));
        chunks.add(chunk);
        arguments = words.size();
        return completeRequest();
    }

    private static void expect(byte actual, char wanted) {
        if (actual != wanted) {
            throw new ProtocolErrorException(
                    "expected CR LF behind the bytes of an argument, got '%s'".formatted(printable(actual)));
        }
    }

    private static String printable(byte b) {
        return b > 0x20 && b < 0x7f ? String.valueOf((char) b) : "\\x%02x".formatted(b);
    }
}
