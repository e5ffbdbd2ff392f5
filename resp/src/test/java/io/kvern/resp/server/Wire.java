package io.kvern.resp.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Requests as bytes. */
final class Wire {
    private Wire() {}

    static byte[] request(String... words) {
        return request(List.of(words).stream().map(Wire::bytes).toList());
    }

    static byte[] request(List<byte[]> arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(bytes("*" + arguments.size() + "\r\n"));
        for (byte[] argument : arguments) {
            out.writeBytes(bytes("$" + argument.length + "\r\n"));
            out.writeBytes(argument);
            out.writeBytes(bytes("\r\n"));
        }
        return out.toByteArray();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
