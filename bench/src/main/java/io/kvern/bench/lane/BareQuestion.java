package io.kvern.bench.lane;

import io.kvern.bench.peer.Peer;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** So many bytes to the peer and so many back over one blocking socket: what any call takes that does nothing else. */
final class BareQuestion implements AutoCloseable {
    private final SocketChannel socket;
    private final ByteBuffer out;
    private final ByteBuffer in;

    private BareQuestion(SocketChannel socket, int requestBytes, int replyBytes) {
        this.socket = socket;
        this.out = ByteBuffer.allocateDirect(requestBytes);
        this.in = ByteBuffer.allocateDirect(replyBytes);
    }

    static BareQuestion open(Peer peer, int requestBytes, int replyBytes) throws IOException, InterruptedException {
        int port = peer.echo(requestBytes, replyBytes);
        SocketChannel socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new BareQuestion(socket, requestBytes, replyBytes);
    }

    void ask() throws IOException {
        out.clear();
        while (out.hasRemaining()) {
            socket.write(out);
        }
        in.clear();
        while (in.hasRemaining()) {
            if (socket.read(in) < 0) {
                throw new EOFException("the peer closed its connection");
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
