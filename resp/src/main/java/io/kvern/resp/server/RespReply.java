package io.kvern.resp.server;

import io.kvern.resp.ReplySyntax;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Takes the one value that answers a command: a line, a number, a bulk string, or an array header and then that many values.
 * A method that sends waits while the client reads slowly. One thread. What does not add up, such as a bulk string shorter
 * than its header, is an {@link IllegalStateException} here and never goes out as a reply.
 */
public final class RespReply {
    private final ReplyOutput output;
    private final BufferPool pool;
    private final Duration memoryWait;
    private final Counters counters;
    private long expected;
    private long bulkMissing = -1;
    /** Whether bytes of the bulk string that is open went to the output as they are. */
    private boolean handedOver;

    private boolean begun;
    private boolean closing;

    RespReply(ReplyOutput output, BufferPool pool, Duration memoryWait, Counters counters) {
        this.output = output;
        this.pool = pool;
        this.memoryWait = memoryWait;
        this.counters = counters;
    }

    /** @param text such as {@code OK}; line breaks become spaces */
    public void simple(String text) {
        value();
        ReplySyntax.simple(output.room(ReplySyntax.maxLineBytes(text)), text);
    }

    /** @param text a code in capitals, a space, an explanation; line breaks become spaces */
    public void error(String text) {
        value();
        counters.errors.increment();
        ReplySyntax.error(output.room(ReplySyntax.maxLineBytes(text)), text);
    }

    public void integer(long number) {
        value();
        ReplySyntax.integer(header(), number);
    }

    public void nullBulk() {
        value();
        ReplySyntax.nullBulk(header());
    }

    public void nullArray() {
        value();
        ReplySyntax.nullArray(header());
    }

    /** @param count of the values to follow, 0 or more */
    public void array(long count) {
        value();
        ReplySyntax.arrayHeader(header(), count);
        expected += count;
    }

    /** Copies the remaining bytes of {@code bytes}, whose position stays. */
    public void bulk(ByteBuffer bytes) {
        bulkHeader(bytes.remaining());
        output.copy(bytes);
        bulkMissing = 0;
        bulkEnd();
    }

    public void bulk(byte[] bytes) {
        bulk(ByteBuffer.wrap(bytes));
    }

    public void bulk(String text) {
        bulk(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Begins a bulk string: {@link #write} its {@code length} bytes, then {@link #bulkEnd}. */
    public void bulkHeader(long length) {
        value();
        ReplySyntax.bulkHeader(header(), length);
        bulkMissing = length;
    }

    /**
     * Sends the readable bytes of {@code owned} as a part of the bulk string begun, without a copy.
     *
     * @param owned the reply releases it, now or when it is out, whatever happens
     */
    public void write(ByteBuf owned) {
        int bytes = owned.readableBytes();
        if (bytes > bulkMissing) {
            owned.release();
            throw new IllegalStateException(
                    "%d bytes are too many for a bulk string that misses %d".formatted(bytes, bulkMissing));
        }
        bulkMissing -= bytes;
        handedOver = true;
        output.write(owned, bulkMissing > 0);
    }

    public void bulkEnd() {
        if (bulkMissing != 0) {
            throw new IllegalStateException("a bulk string misses %d bytes".formatted(bulkMissing));
        }
        bulkMissing = -1;
        if (handedOver) {
            handedOver = false;
            output.endBulk();
        } else {
            ReplySyntax.bulkEnd(header());
        }
    }

    /**
     * An empty direct buffer with room for exactly {@code bytes}, out of the server's memory budget; for {@link #write}, or
     * to be released by the caller.
     *
     * @throws BudgetSpentException if no memory came free in time
     */
    public ByteBuf buffer(int bytes) throws InterruptedException {
        return pool.acquire(bytes, memoryWait);
    }

    /** Closes the connection after this reply; commands behind it are not answered. */
    public void thenClose() {
        closing = true;
    }

    void begin() {
        expected = 1;
        bulkMissing = -1;
        handedOver = false;
        begun = false;
    }

    /** Whether a part of the reply is given: what goes wrong from now on cannot be answered by an error alone. */
    public boolean begun() {
        return begun;
    }

    /** Whether the reply is whole. */
    boolean complete() {
        return expected == 0 && bulkMissing < 0;
    }

    boolean closing() {
        return closing;
    }

    private void value() {
        if (expected == 0 || bulkMissing >= 0) {
            throw new IllegalStateException(
                    bulkMissing >= 0 ? "a bulk string is open" : "the reply is complete already");
        }
        expected--;
        begun = true;
    }

    private ByteBuf header() {
        return output.room(ReplySyntax.MAX_HEADER_BYTES);
    }
}
