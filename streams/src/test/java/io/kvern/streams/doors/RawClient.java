package io.kvern.streams.doors;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A socket that sends commands and shows the very bytes that come back. */
final class RawClient implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        in = socket.getInputStream();
    }

    RawClient send(String... words) throws IOException {
        List<byte[]> arguments = new ArrayList<>();
        for (String word : words) {
            arguments.add(word.getBytes(StandardCharsets.UTF_8));
        }
        return send(arguments);
    }

    RawClient send(List<byte[]> arguments) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(("*" + arguments.size() + "\r\n").getBytes(StandardCharsets.UTF_8));
        for (byte[] argument : arguments) {
            out.writeBytes(("$" + argument.length + "\r\n").getBytes(StandardCharsets.UTF_8));
            out.writeBytes(argument);
            out.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
        }
        socket.getOutputStream().write(out.toByteArray());
        return this;
    }

    /** The next line, without CR LF. */
    String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\r'; b = in.read()) {
            if (b < 0) {
                throw new IOException("closed after '" + line.toString(StandardCharsets.UTF_8) + "'");
            }
            line.write(b);
        }
        if (in.read() != '\n') {
            throw new IOException("CR without LF");
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    byte[] bytes(int count) throws IOException {
        return in.readNBytes(count);
    }

    /** As many bytes as {@code expected} has, as text: the whole reply, so that what follows it starts afresh. */
    String reply(String expected) throws IOException {
        return new String(bytes(expected.getBytes(StandardCharsets.UTF_8).length), StandardCharsets.UTF_8);
    }

    /** All that comes until the server closes. */
    byte[] rest() throws IOException {
        return in.readAllBytes();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
