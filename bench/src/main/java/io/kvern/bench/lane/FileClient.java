package io.kvern.bench.lane;

import io.kvern.bench.peer.FileServer;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** Receives ranges from a {@link FileServer} over blocking sockets, the next request always sent before the last reply ends. */
final class FileClient implements AutoCloseable {
    /** As the loader reads: what came is still in the core's cache when its CRC is taken. */
    private static final int READ_BYTES = 128 << 10;

    private final List<SocketChannel> sockets = new ArrayList<>();
    private final List<Range> ranges = new ArrayList<>();
    private final Crew crew;
    private final WireLane.Work work;

    private record Range(int file, long offset) {}

    FileClient(int port, int socketCount, Path directory, WireLane.Work work) throws IOException {
        this.work = work;
        this.crew = new Crew(socketCount);
        List<Path> files = FileServer.filesOf(directory);
        for (int file = 0; file < files.size(); file++) {
            long size = Files.size(files.get(file));
            for (long at = 0; at + work.blockBytes <= size; at += work.blockBytes) {
                ranges.add(new Range(file, at));
            }
        }
        for (int i = 0; i < socketCount; i++) {
            SocketChannel socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            sockets.add(socket);
        }
    }

    /** Receives the blocks of one batch, which the sockets share. */
    void receive(int batch) throws Exception {
        int first = batch * work.batch;
        crew.all(member -> receiveShare(first + member, first + work.batch));
    }

    private void receiveShare(int first, int beyond) throws IOException {
        int member = first % work.batch;
        SocketChannel socket = sockets.get(member);
        ByteBuffer request = ByteBuffer.allocateDirect(FileServer.REQUEST_BYTES);
        CRC32C crc = new CRC32C();
        if (first < beyond) {
            ask(socket, request, first);
        }
        for (int number = first; number < beyond; number += crew.size()) {
            if (number + crew.size() < beyond) {
                ask(socket, request, number + crew.size());
            }
            ByteBuffer slot = work.slot(number);
            crc.reset();
            for (int at = 0; at < work.blockBytes; ) {
                slot.limit(Math.min(work.blockBytes, at + READ_BYTES)).position(at);
                int count = socket.read(slot);
                if (count < 0) {
                    throw new EOFException("the file server closed its connection");
                }
                crc.update(slot.slice(at, count));
                at += count;
            }
        }
    }

    private void ask(SocketChannel socket, ByteBuffer request, int number) throws IOException {
        // Only the newest ranges: those are the blocks that the others load.
        Range range = ranges.get(ranges.size() - 1 - number % Math.min(ranges.size(), work.ids.size()));
        request.clear()
                .putInt(range.file())
                .putInt(work.blockBytes)
                .putLong(range.offset())
                .flip();
        while (request.hasRemaining()) {
            socket.write(request);
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
