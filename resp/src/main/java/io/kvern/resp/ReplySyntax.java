package io.kvern.resp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;

/**
 * How replies look in version 2 of the Redis protocol. The one place that knows it:
 *
 * <pre>
 *  +text\r\n            simple string          $-1\r\n              nil
 *  -text\r\n            error                  *-1\r\n              nil array
 *  :number\r\n          integer                *count\r\n           array header; the elements follow
 *  $length\r\n          bulk string header; then length bytes, then \r\n
 * </pre>
 */
public final class ReplySyntax {
    /** Longest header: a mark, 20 characters of a number, CR LF. */
    public static final int MAX_HEADER_BYTES = 23;

    private static final int CRLF = '\r' << 8 | '\n';

    private ReplySyntax() {}

    /** Most bytes that a line with this text can take. */
    public static int maxLineBytes(String text) {
        return 3 + ByteBufUtil.utf8MaxBytes(text);
    }

    /** @param text line breaks in it become spaces */
    public static void simple(ByteBuf out, String text) {
        line(out, '+', text);
    }

    /** @param text a code in capitals, a space, and an explanation; line breaks in it become spaces */
    public static void error(ByteBuf out, String text) {
        line(out, '-', text);
    }

    public static void integer(ByteBuf out, long value) {
        header(out, ':', value);
    }

    /** @param length of the bytes to follow, 0 or more */
    public static void bulkHeader(ByteBuf out, long length) {
        header(out, '$', length);
    }

    /** Stands behind the bytes of a bulk string. */
    public static void bulkEnd(ByteBuf out) {
        out.writeShort(CRLF);
    }

    /** @param count of the elements to follow, 0 or more */
    public static void arrayHeader(ByteBuf out, long count) {
        header(out, '*', count);
    }

    public static void nullBulk(ByteBuf out) {
        header(out, '$', -1);
    }

    public static void nullArray(ByteBuf out) {
        header(out, '*', -1);
    }

    private static void header(ByteBuf out, char mark, long value) {
        out.writeByte(mark);
        out.writeCharSequence(Long.toString(value), StandardCharsets.US_ASCII);
        out.writeShort(CRLF);
    }

    private static void line(ByteBuf out, char mark, String text) {
        out.writeByte(mark);
        ByteBufUtil.writeUtf8(out, text.replace('\r', ' ').replace('\n', ' '));
        out.writeShort(CRLF);
    }
}
