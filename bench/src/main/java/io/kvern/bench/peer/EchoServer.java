package io.kvern.bench.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** For each request of a fixed size a reply of a fixed size, at once: the least that any question over a socket takes. */
final class EchoServer implements AutoCloseable {
    private final ServerSocketChannel server;
    private final int requestBytes;
    private final int replyBytes;

    private EchoServer(ServerSocketChannel server, int requestBytes, int replyBytes) {
        this.server = server;
        this.requestBytes = requestBytes;
        this.replyBytes = replyBytes;
    }

    static EchoServer start(int requestBytes, int replyBytes) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        EchoServer started = new EchoServer(server, requestBytes, replyBytes);
        Thread.ofPlatform().daemon().name("echo-server").start(started::run);
        return started;
    }

    int port() throws IOException {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    private void run() {
        ByteBuffer request = ByteBuffer.allocateDirect(requestBytes);
        ByteBuffer reply = ByteBuffer.allocateDirect(replyBytes);
        while (server.isOpen()) {
            try (SocketChannel client = server.accept()) {
                client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                while (client.read(request) >= 0) {
                    if (!request.hasRemaining()) {
                        request.clear();
                        reply.clear();
                        while (reply.hasRemaining()) {
                            client.write(reply);
                        }
                    }
                }
            } catch (IOException e) {
                // This client, or the task, is over.
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
