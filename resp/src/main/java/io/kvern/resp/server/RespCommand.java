package io.kvern.resp.server;

import io.kvern.model.InvalidInputException;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * One request: a command's name and its arguments, in direct memory. Valid until the session's {@code handle} returns. One
 * thread at a time; walking through the arguments in order is cheapest.
 *
 * <p>Arguments stand in chunks one after the other, each after its length; none is split, and a large one has a chunk alone:
 *
 * <pre>
 *  chunk 0                                       chunk 1
 *  +--------+------+--------+---------------+    +--------+------------------ - - - --+
 *  | length | SET  | length | id            |    | length | value, up to 64 MiB       |
 *  | u32 BE |      | u32 BE |               |    | u32 BE |                           |
 *  +--------+------+--------+---------------+    +--------+------------------ - - - --+
 * </pre>
 */
public final class RespCommand {
    /** What an argument takes beside its bytes. */
    static final int LENGTH_BYTES = Integer.BYTES;

    private static final int MAX_NAME_BYTES = 128;
    private static final int MAX_TEXT_BYTES = 64 << 10;

    private final List<ByteBuf> chunks;
    private final int size;
    private final long heldBytes;
    private final String name;

    // The cursor stands on the length of argument `index`.
    private int index;
    private int chunk;
    private int offset;

    /** @param chunks become this command's, each filled to its writer index */
    RespCommand(List<ByteBuf> chunks, int size) {
        this.chunks = chunks;
        this.size = size;
        long held = 0;
        for (ByteBuf memory : chunks) {
            held += memory.capacity();
        }
        this.heldBytes = held;
        this.name = capitals(preview(0, MAX_NAME_BYTES));
    }

    /** Number of arguments, the name included; at least 1. */
    public int size() {
        return size;
    }

    /** The first argument, ASCII letters in capitals; cut after {@value #MAX_NAME_BYTES} bytes, which is no command's name. */
    public String name() {
        return name;
    }

    /** Length in bytes of argument {@code i}, 0 to {@code size() - 1}; 0 is the name. */
    public int length(int i) {
        seek(i);
        return chunks.get(chunk).getInt(offset);
    }

    /** A view of argument {@code i}. It shows the request's own memory, which is only to be read. */
    public ByteBuffer argument(int i) {
        int length = length(i);
        return chunks.get(chunk).nioBuffer(offset + LENGTH_BYTES, length);
    }

    /**
     * Argument {@code i} as text; bytes that are not UTF-8 become replacement characters.
     *
     * @throws InvalidInputException if it is over 64 KiB: that much is data
     */
    public String text(int i) {
        int length = length(i);
        if (length > MAX_TEXT_BYTES) {
            throw new InvalidInputException("argument %d of %s has %d bytes; at most %d are allowed for a text"
                    .formatted(i, name, length, MAX_TEXT_BYTES));
        }
        return preview(i, length);
    }

    /** The first {@code maxBytes} of argument {@code i} as text, for messages. */
    public String preview(int i, int maxBytes) {
        int length = Math.min(length(i), maxBytes);
        return chunks.get(chunk).toString(offset + LENGTH_BYTES, length, StandardCharsets.UTF_8);
    }

    /** Argument {@code i} for use beyond {@code handle}: the caller releases it, in any thread. */
    public ByteBuf retain(int i) {
        int length = length(i);
        return chunks.get(chunk).retainedSlice(offset + LENGTH_BYTES, length);
    }

    /** Bytes of memory that this command holds. */
    long heldBytes() {
        return heldBytes;
    }

    void release() {
        chunks.forEach(ByteBuf::release);
    }

    private static String capitals(String text) {
        char[] letters = text.toCharArray();
        for (int i = 0; i < letters.length; i++) {
            if (letters[i] >= 'a' && letters[i] <= 'z') {
                letters[i] = (char) (letters[i] - 'a' + 'A');
            }
        }
        return new String(letters);
    }

    private void seek(int i) {
        Objects.checkIndex(i, size);
        if (i < index) {
            index = 0;
            chunk = 0;
            offset = 0;
        }
        for (; index < i; index++) {
            offset += LENGTH_BYTES + chunks.get(chunk).getInt(offset);
            if (offset == chunks.get(chunk).writerIndex()) {
                chunk++;
                offset = 0;
            }
        }
    }
}
