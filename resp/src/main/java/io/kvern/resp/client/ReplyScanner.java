package io.kvern.resp.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads RESP2 replies token by token out of a buffer that is filled as bytes come. A token is one line:
 *
 * <pre>
 * +text\r\n   -text\r\n   :number\r\n   *count\r\n   $length\r\n (then length bytes and \r\n, which the caller takes)
 * </pre>
 *
 * <p>No bulk string is ever assembled here, so a length may be as large as it likes: the caller decides what to do with
 * it. Lines are bounded by {@value #MAX_LINE_BYTES} bytes. One thread at a time; no garbage but the text of text lines.
 */
public final class ReplyScanner {
    /** Longest line with its end, in bytes; the buffer that is scanned needs at least this capacity. */
    public static final int MAX_LINE_BYTES = 2048;

    /** What {@link #next} found. */
    public enum Token {
        /** The line is not complete; nothing was taken. */
        INCOMPLETE,
        /** {@code +}: see {@link #text()}. */
        SIMPLE,
        /** {@code -}: see {@link #text()}. */
        ERROR,
        /** {@code :}: see {@link #number()}. */
        INTEGER,
        /** {@code $}: {@link #number()} bytes follow, then {@link #endOfBulk}. */
        BULK,
        /** {@code *}: {@link #number()} elements follow. */
        ARRAY,
        /** {@code $-1} or {@code *-1}. */
        NULL
    }

    private long number;
    private String text = "";

    /**
     * Takes the next line from {@code in}, all of it or nothing.
     *
     * @throws MalformedReplyException where the bytes are no RESP2 line; detected as early as the first byte shows it
     */
    public Token next(ByteBuffer in) throws MalformedReplyException {
        if (!in.hasRemaining()) {
            return Token.INCOMPLETE;
        }
        int start = in.position();
        byte type = in.get(start);
        if (type != '+' && type != '-' && type != ':' && type != '$' && type != '*') {
            throw new MalformedReplyException(
                    "a reply starts with byte 0x%02x; one of + - : $ * is needed".formatted(type));
        }
        int end = lineEnd(in, start + 1);
        if (end < 0) {
            if (in.remaining() >= MAX_LINE_BYTES) {
                throw new MalformedReplyException(
                        "a reply line is longer than the limit of %d bytes".formatted(MAX_LINE_BYTES));
            }
            return Token.INCOMPLETE;
        }
        Token token = switch (type) {
            case '+' -> text(Token.SIMPLE, in, start + 1, end);
            case '-' -> text(Token.ERROR, in, start + 1, end);
            case ':' -> number(Token.INTEGER, in, start + 1, end);
            case '$' -> sized(Token.BULK, in, start + 1, end);
            default -> sized(Token.ARRAY, in, start + 1, end);
        };
        in.position(end + 2);
        return token;
    }

    /**
     * Takes the line end behind a bulk string's bytes.
     *
     * @return false where it has not come yet; nothing was taken
     * @throws MalformedReplyException where something else stands there: the length was wrong
     */
    public boolean endOfBulk(ByteBuffer in) throws MalformedReplyException {
        if (in.remaining() < 2) {
            return false;
        }
        byte first = in.get();
        byte second = in.get();
        if (first != '\r' || second != '\n') {
            throw new MalformedReplyException(
                    "a bulk string ends in 0x%02x 0x%02x; CR LF is needed".formatted(first, second));
        }
        return true;
    }

    /** The integer, length or count of the last token. */
    public long number() {
        return number;
    }

    /** The text of the last simple string or error; bytes beyond ASCII appear as replacement characters. */
    public String text() {
        return text;
    }

    private static int lineEnd(ByteBuffer in, int from) {
        int last = Math.min(in.limit(), in.position() + MAX_LINE_BYTES) - 1;
        for (int i = from; i < last; i++) {
            if (in.get(i) == '\r' && in.get(i + 1) == '\n') {
                return i;
            }
        }
        return -1;
    }

    private Token text(Token token, ByteBuffer in, int from, int to) {
        byte[] line = new byte[to - from];
        in.get(from, line);
        text = new String(line, StandardCharsets.US_ASCII);
        return token;
    }

    private Token sized(Token token, ByteBuffer in, int from, int to) throws MalformedReplyException {
        number(token, in, from, to);
        if (number < -1) {
            throw new MalformedReplyException("a reply announces a size of %d".formatted(number));
        }
        return number == -1 ? Token.NULL : token;
    }

    private Token number(Token token, ByteBuffer in, int from, int to) throws MalformedReplyException {
        boolean negative = from < to && in.get(from) == '-';
        int at = negative ? from + 1 : from;
        // 18 digits always fit in a long; nothing that is counted here has more.
        if (at == to || to - at > 18) {
            throw new MalformedReplyException("a reply has a number of %d digits".formatted(to - at));
        }
        long value = 0;
        for (; at < to; at++) {
            int digit = in.get(at) - '0';
            if (digit < 0 || digit > 9) {
                throw new MalformedReplyException("a reply has byte 0x%02x within a number".formatted(in.get(at)));
            }
            value = value * 10 + digit;
        }
        number = negative ? -value : value;
        return token;
    }
}
