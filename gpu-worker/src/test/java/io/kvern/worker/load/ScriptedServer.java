package io.kvern.worker.load;

import io.kvern.model.BlockId;
import io.kvern.model.Crc32c;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A store node's wire door over a map of blocks, on a real socket, that misbehaves on command. One thread per connection,
 * strictly in order, as the real one answers.
 */
final class ScriptedServer implements AutoCloseable {
    /** What to do with a KV.READ of one block instead of answering it. */
    enum Fault {
        WRONG_CRC,
        /** Flips a bit of the payload: the CRC is that of the right bytes. */
        WRONG_BYTE,
        WRONG_BULK_LENGTH,
        EMPTY_BLOCK,
        TORN,
        TRICKLE,
        HANG,
        /** Sends half, waits for {@link #letGo()}, and sends on. */
        HOLD_HALF,
        CLOSE,
        TRY_AGAIN,
        ERROR,
        GARBAGE,
        ENDLESS_LINE,
        MISS
    }

    final Map<BlockId, byte[]> blocks = new ConcurrentHashMap<>();
    final Map<BlockId, AtomicInteger> reads = new ConcurrentHashMap<>();
    final List<BlockId> verified = new ArrayList<>();
    final Set<String> users = ConcurrentHashMap.newKeySet();
    final AtomicInteger accepted = new AtomicInteger();
    final AtomicInteger matches = new AtomicInteger();
    volatile boolean silent;
    volatile String authError = "";
    volatile boolean dropDamagedOnVerify;
    volatile boolean unsureOfMatches;

    private final Map<BlockId, Deque<Fault>> faults = new ConcurrentHashMap<>();
    private final Map<BlockId, Fault> lasting = new ConcurrentHashMap<>();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final CountDownLatch released = new CountDownLatch(1);
    private final ServerSocket listener;

    ScriptedServer() throws IOException {
        this(0);
    }

    ScriptedServer(int port) throws IOException {
        listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Thread.ofPlatform().daemon().name("scripted-accept").start(this::accept);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    void put(BlockId id, byte[] bytes) {
        blocks.put(id, bytes);
    }

    byte[] block(BlockId id) {
        return Objects.requireNonNull(blocks.get(id), "the test stored it");
    }

    byte[] take(BlockId id) {
        return Objects.requireNonNull(blocks.remove(id), "the test stored it");
    }

    void next(BlockId id, Fault... script) {
        Deque<Fault> queue = faults.computeIfAbsent(id, key -> new ArrayDeque<>());
        synchronized (queue) {
            queue.addAll(List.of(script));
        }
    }

    void always(BlockId id, Fault fault) {
        lasting.put(id, fault);
    }

    void heal() {
        faults.clear();
        lasting.clear();
    }

    int reads(BlockId id) {
        AtomicInteger count = reads.get(id);
        return count == null ? 0 : count.get();
    }

    /** Ends HANG and HOLD_HALF. */
    void letGo() {
        released.countDown();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                accepted.incrementAndGet();
                sockets.add(socket);
                if (listener.isClosed()) {
                    socket.close();
                }
                Thread.ofPlatform().daemon().name("scripted-connection").start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            if (silent) {
                released.await();
            }
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            while (answer(request(in), out)) {}
        } catch (IOException e) {
            // The client left, or the test closes the server.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(socket);
        }
    }

    private boolean answer(List<byte[]> request, OutputStream out) throws IOException, InterruptedException {
        switch (new String(request.getFirst(), StandardCharsets.US_ASCII)) {
            case "AUTH" -> {
                users.add(text(request.get(1)) + "/" + text(request.get(2)));
                send(out, authError.isEmpty() ? "+OK\r\n" : authError + "\r\n");
            }
            case "KV.READ" -> {
                return read(BlockId.of(request.get(1)), out);
            }
            case "KV.VERIFY" -> {
                BlockId id = BlockId.of(request.get(1));
                synchronized (verified) {
                    verified.add(id);
                }
                if (dropDamagedOnVerify) {
                    blocks.remove(id);
                    heal();
                }
                send(out, dropDamagedOnVerify ? ":0\r\n" : ":1\r\n");
            }
            case "KV.MATCH" -> match(request, out);
            default -> send(out, "-ERR unknown command\r\n");
        }
        return true;
    }

    private void match(List<byte[]> request, OutputStream out) throws IOException {
        matches.incrementAndGet();
        int length = 0;
        long bytes = 0;
        for (byte[] id : request.subList(1, request.size())) {
            byte[] block = blocks.get(BlockId.of(id));
            if (block == null) {
                break;
            }
            length++;
            bytes += block.length;
        }
        send(out, unsureOfMatches ? "-TRYAGAIN catching up\r\n" : "*2\r\n:%d\r\n:%d\r\n".formatted(length, bytes));
    }

    private boolean read(BlockId id, OutputStream out) throws IOException, InterruptedException {
        reads.computeIfAbsent(id, key -> new AtomicInteger()).incrementAndGet();
        byte[] block = blocks.get(id);
        Fault fault = fault(id);
        if (fault == null) {
            if (block == null) {
                send(out, "*-1\r\n");
            } else {
                send(out, block, Crc32c.of(ByteBuffer.wrap(block)), block.length);
            }
            return true;
        }
        byte[] bytes = block == null ? new byte[1000] : block;
        int crc = Crc32c.of(ByteBuffer.wrap(bytes));
        switch (fault) {
            case WRONG_CRC -> send(out, bytes, crc ^ 1, bytes.length);
            case WRONG_BYTE -> {
                byte[] damaged = bytes.clone();
                damaged[damaged.length / 2] ^= 4;
                send(out, damaged, crc, damaged.length);
            }
            case WRONG_BULK_LENGTH -> send(out, bytes, crc, bytes.length + 1);
            case EMPTY_BLOCK -> send(out, new byte[0], 0, 0);
            case TORN -> {
                send(out, header(bytes.length, crc, bytes.length));
                out.write(bytes, 0, bytes.length / 2);
                out.flush();
                return false;
            }
            case TRICKLE -> trickle(out, bytes, crc);
            case HANG -> released.await();
            case HOLD_HALF -> {
                send(out, header(bytes.length, crc, bytes.length));
                out.write(bytes, 0, bytes.length / 2);
                out.flush();
                released.await();
                out.write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
                send(out, "\r\n");
            }
            case CLOSE -> {
                return false;
            }
            case TRY_AGAIN -> send(out, "-TRYAGAIN the log has not been read to its end\r\n");
            case ERROR -> send(out, "-ERR the disk is on fire\r\n");
            case GARBAGE -> send(out, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc");
            case ENDLESS_LINE -> send(out, "-" + "e".repeat(1 << 16));
            case MISS -> send(out, "*-1\r\n");
        }
        return true;
    }

    private @Nullable Fault fault(BlockId id) {
        Deque<Fault> queue = faults.get(id);
        if (queue != null) {
            synchronized (queue) {
                Fault next = queue.pollFirst();
                if (next != null) {
                    return next;
                }
            }
        }
        return lasting.get(id);
    }

    /** 64 KiB a second. */
    private void trickle(OutputStream out, byte[] bytes, int crc) throws IOException, InterruptedException {
        send(out, header(bytes.length, crc, bytes.length));
        for (int at = 0; at < bytes.length; at += 1024) {
            out.write(bytes, at, Math.min(1024, bytes.length - at));
            out.flush();
            // The pace itself is the fault: not a wait for something to happen.
            Thread.sleep(16);
        }
        send(out, "\r\n");
    }

    private static void send(OutputStream out, byte[] bytes, int crc, int bulkLength) throws IOException {
        send(out, header(bytes.length, crc, bulkLength));
        out.write(bytes);
        send(out, "\r\n");
    }

    private static String header(int length, int crc, int bulkLength) {
        return "*3\r\n:%d\r\n:%d\r\n$%d\r\n".formatted(length, Integer.toUnsignedLong(crc), bulkLength);
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static List<byte[]> request(InputStream in) throws IOException {
        int count = number(in, '*');
        List<byte[]> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(in.readNBytes(number(in, '$')));
            in.skipNBytes(2);
        }
        return parts;
    }

    private static int number(InputStream in, char type) throws IOException {
        int first = in.read();
        if (first < 0) {
            throw new EOFException();
        }
        if (first != type) {
            throw new IOException("the client sent byte " + first + " where " + type + " belongs");
        }
        int value = 0;
        for (int digit = in.read(); digit != '\r'; digit = in.read()) {
            value = value * 10 + digit - '0';
        }
        in.skipNBytes(1);
        return value;
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /** Cuts every connection now, and goes on listening. */
    void cutConnections() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        letGo();
        cutConnections();
    }
}
