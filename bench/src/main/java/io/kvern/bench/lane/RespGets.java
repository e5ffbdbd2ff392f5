package io.kvern.bench.lane;

import io.kvern.bench.site.Metered;
import io.kvern.bench.site.OwnJvm;
import io.kvern.bench.site.RedisServer;
import io.kvern.bench.site.Site;
import io.kvern.model.KvernException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code GET} over bare sockets into the same slots: one client for Kvern's door and for Redis. It knows how long each value
 * is, so that header, value and end are received without a copy; the next request is sent before the last reply ends.
 */
final class RespGets implements Contender {
    private static final byte[] CRLF = {'\r', '\n'};

    private final String name;
    private final String what;
    private final int copies;
    private final List<Metered> processes;
    private final WireLane.Work work;
    private final List<SocketChannel> sockets = new ArrayList<>();
    private final Crew crew = new Crew(WireLane.SOCKETS);

    private RespGets(
            String name, String what, int copies, Metered server, WireLane.Work work, InetSocketAddress address)
            throws IOException {
        this.name = name;
        this.what = what;
        this.copies = copies;
        this.processes = List.of(OwnJvm.METER, server);
        this.work = work;
        for (int i = 0; i < crew.size(); i++) {
            SocketChannel socket = SocketChannel.open(address);
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            sockets.add(socket);
        }
    }

    static RespGets ofDoor(WireLane.Work work, Site site) throws IOException {
        RespGets gets = new RespGets(
                "kvern GET",
                "GET through the node's Redis-speaking door; the node verifies each block before it answers",
                3,
                site.nodeMeter(),
                work,
                site.door());
        for (SocketChannel socket : gets.sockets) {
            write(socket, command("AUTH".getBytes(StandardCharsets.US_ASCII), user(), new byte[0]));
            expectLine(socket, "+OK");
        }
        return gets;
    }

    private static byte[] user() {
        return (Site.NAMESPACE.name() + "#" + Site.NAMESPACE.fingerprint()).getBytes(StandardCharsets.UTF_8);
    }

    /** Fills Redis with blocks under the same keys first. */
    static RespGets ofRedis(WireLane.Work work, RedisServer redis) throws IOException {
        RespGets gets = new RespGets(
                "redis GET",
                "GET from Redis " + redis.version() + " with the values in its memory, no persistence, no checksums",
                2,
                redis.meter(),
                work,
                redis.address());
        SocketChannel socket = gets.sockets.getFirst();
        write(socket, command("FLUSHALL".getBytes(StandardCharsets.US_ASCII)));
        expectLine(socket, "+OK");
        byte[] set = "SET".getBytes(StandardCharsets.US_ASCII);
        byte[] value = new byte[work.blockBytes];
        work.slot(0).get(0, value);
        for (int i = 0; i < work.ids.size(); i++) {
            write(socket, command(set, work.id(i).toBytes(), value));
            expectLine(socket, "+OK");
        }
        return gets;
    }

    private static ByteBuffer command(byte[]... words) {
        int length = 16;
        for (byte[] word : words) {
            length += word.length + 16;
        }
        ByteBuffer out = ByteBuffer.allocateDirect(length);
        out.put(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (byte[] word : words) {
            out.put(("$" + word.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.put(word).put(CRLF);
        }
        return out.flip();
    }

    private static void write(SocketChannel socket, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            socket.write(bytes);
        }
    }

    private static void expectLine(SocketChannel socket, String line) throws IOException {
        ByteBuffer reply = ByteBuffer.allocate(line.length() + 2);
        while (reply.hasRemaining()) {
            if (socket.read(reply) < 0) {
                throw new EOFException("a connection was closed before its reply");
            }
        }
        String got = new String(reply.array(), StandardCharsets.US_ASCII).strip();
        if (!got.equals(line)) {
            throw new KvernException("'%s' was expected and '%s' came".formatted(line, got));
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String what() {
        return what;
    }

    @Override
    public int copiesPerByte() {
        return copies;
    }

    @Override
    public List<Metered> processes() {
        return processes;
    }

    @Override
    public Moved run(int round) throws Exception {
        long start = System.nanoTime();
        for (int batch = 0; batch < work.batches; batch++) {
            int first = batch * work.batch;
            crew.all(member -> getShare(member, first + member, first + work.batch));
        }
        return Moved.since(start, work.bytes(), work.blocks());
    }

    private void getShare(int member, int first, int beyond) throws IOException {
        SocketChannel socket = sockets.get(member);
        byte[] get = "GET".getBytes(StandardCharsets.US_ASCII);
        byte[] expected = ("$" + work.blockBytes + "\r\n").getBytes(StandardCharsets.US_ASCII);
        ByteBuffer header = ByteBuffer.allocateDirect(expected.length);
        ByteBuffer end = ByteBuffer.allocateDirect(2);
        if (first < beyond) {
            write(socket, command(get, work.id(first).toBytes()));
        }
        for (int number = first; number < beyond; number += crew.size()) {
            if (number + crew.size() < beyond) {
                write(socket, command(get, work.id(number + crew.size()).toBytes()));
            }
            ByteBuffer slot = work.slot(number).limit(work.blockBytes);
            ByteBuffer[] parts = {header.clear(), slot, end.clear()};
            while (end.hasRemaining()) {
                if (socket.read(parts) < 0) {
                    throw new EOFException("a server closed its connection");
                }
                if (!header.hasRemaining() && header.get(0) != '$') {
                    throw new KvernException(name + " answered with an error");
                }
            }
            byte[] got = new byte[expected.length];
            header.get(0, got);
            if (!Arrays.equals(got, expected)) {
                throw new KvernException("%s answered with another length".formatted(name));
            }
        }
    }

    @Override
    public void close() {
        crew.close();
        for (SocketChannel socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
