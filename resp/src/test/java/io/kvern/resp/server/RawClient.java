package io.kvern.resp.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A socket that says what it is told and shows the very bytes that come back. */
final class RawClient implements AutoCloseable {
    private final Socket socket = new Socket();
    private final InputStream in;

    RawClient(int port) throws IOException {
        this(port, 0);
    }

    /** @param receiveBytes size of the receive buffer, 0 for the system's choice */
    RawClient(int port, int receiveBytes) throws IOException {
        if (receiveBytes > 0) {
            socket.setReceiveBufferSize(receiveBytes);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = socket.getInputStream();
    }

    RawClient send(String... words) throws IOException {
        return sendRaw(Wire.request(words));
    }

    RawClient sendRaw(String text) throws IOException {
        return sendRaw(Wire.bytes(text));
    }

    RawClient sendRaw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** The next line, without its end; as many bytes as the line has are taken. */
    String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("closed after '" + line.toString(StandardCharsets.UTF_8) + "'");
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    byte[] bytes(int count) throws IOException {
        return in.readNBytes(count);
    }

    /** All that comes until the server closes, by a proper end or by a reset. */
    byte[] rest() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try {
            in.transferTo(all);
        } catch (SocketException e) {
            // What came before the reset counts.
        }
        return all.toByteArray();
    }

    /** Whether the server has closed, by a proper end or by a reset. */
    boolean closedByServer() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }

    RawClient endInput() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Closes with a reset, as a killed process does. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
