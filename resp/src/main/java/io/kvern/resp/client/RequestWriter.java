package io.kvern.resp.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes a request as RESP wants it: an array of bulk strings.
 *
 * <pre>
 * *&lt;1 + arguments&gt;\r\n   $&lt;length&gt;\r\n&lt;command&gt;\r\n   $&lt;length&gt;\r\n&lt;argument&gt;\r\n   …
 * </pre>
 */
public final class RequestWriter {
    private static final int CRLF_BYTES = 2;

    private RequestWriter() {}

    /**
     * A fresh heap buffer that holds the whole request, ready to be sent.
     *
     * @param command name of the command, ASCII
     * @param arguments any bytes; their positions stay
     */
    public static ByteBuffer request(String command, List<ByteBuffer> arguments) {
        byte[] name = command.getBytes(StandardCharsets.US_ASCII);
        long size = headBytes(1 + arguments.size()) + bulkBytes(name.length);
        for (ByteBuffer argument : arguments) {
            size += bulkBytes(argument.remaining());
        }
        ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(size));
        head(out, '*', 1 + arguments.size());
        bulk(out, ByteBuffer.wrap(name));
        for (ByteBuffer argument : arguments) {
            bulk(out, argument.duplicate());
        }
        return out.flip();
    }

    private static void bulk(ByteBuffer out, ByteBuffer bytes) {
        head(out, '$', bytes.remaining());
        out.put(bytes).put((byte) '\r').put((byte) '\n');
    }

    private static void head(ByteBuffer out, char type, int number) {
        out.put((byte) type);
        int divisor = 1;
        while (number / divisor >= 10) {
            divisor *= 10;
        }
        for (; divisor > 0; divisor /= 10) {
            out.put((byte) ('0' + number / divisor % 10));
        }
        out.put((byte) '\r').put((byte) '\n');
    }

    private static long bulkBytes(int length) {
        return headBytes(length) + length + CRLF_BYTES;
    }

    private static long headBytes(int number) {
        long digits = 1;
        for (int rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        return 1 + digits + CRLF_BYTES;
    }
}
