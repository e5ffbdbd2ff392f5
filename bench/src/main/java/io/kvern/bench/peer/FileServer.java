package io.kvern.bench.peer;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Sends ranges of files down blocking sockets, a thread each, and nothing else: what any server of the same bytes would have
 * to do at the least. A range is read and written in pieces; {@code transferTo} was slower on loopback.
 *
 * <pre>
 * request   | file: int | length: int | offset: long |       reply: the bytes
 * </pre>
 */
public final class FileServer implements AutoCloseable {
    /** Bytes of a request. */
    public static final int REQUEST_BYTES = 16;

    private static final int PIECE_BYTES = 256 << 10;

    private final ServerSocketChannel server;
    private final List<FileChannel> files;

    private FileServer(ServerSocketChannel server, List<FileChannel> files) {
        this.server = server;
        this.files = files;
    }

    /** The files that are served, in the order in which requests count them. */
    public static List<Path> filesOf(Path directory) throws IOException {
        try (Stream<Path> found = Files.list(directory)) {
            return found.filter(file -> file.toString().endsWith(".data"))
                    .sorted()
                    .toList();
        }
    }

    static FileServer start(Path directory) throws IOException {
        List<FileChannel> files = new ArrayList<>();
        for (Path file : filesOf(directory)) {
            files.add(FileChannel.open(file, StandardOpenOption.READ));
        }
        ServerSocketChannel server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        FileServer started = new FileServer(server, files);
        Thread.ofPlatform().daemon().name("file-server").start(started::accept);
        return started;
    }

    int port() throws IOException {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel client = server.accept();
                Thread.ofPlatform().daemon().name("file-server-client").start(() -> serve(client));
            }
        } catch (IOException e) {
            // Closed: the task is over.
        }
    }

    private void serve(SocketChannel client) {
        ByteBuffer request = ByteBuffer.allocateDirect(REQUEST_BYTES);
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
        try (client) {
            while (true) {
                request.clear();
                while (request.hasRemaining()) {
                    if (client.read(request) < 0) {
                        return;
                    }
                }
                request.flip();
                send(client, files.get(request.getInt()), request.getInt(), request.getLong(), piece);
            }
        } catch (ClosedChannelException e) {
            // The task is over.
        } catch (IOException e) {
            throw new IllegalStateException("the file server failed", e);
        }
    }

    private static void send(SocketChannel client, FileChannel file, int length, long offset, ByteBuffer piece)
            throws IOException {
        int sent = 0;
        while (sent < length) {
            piece.clear().limit(Math.min(PIECE_BYTES, length - sent));
            int count = file.read(piece, offset + sent);
            if (count < 0) {
                throw new EOFException("a range ends behind its file");
            }
            piece.flip();
            while (piece.hasRemaining()) {
                client.write(piece);
            }
            sent += count;
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (FileChannel file : files) {
            file.close();
        }
    }
}
