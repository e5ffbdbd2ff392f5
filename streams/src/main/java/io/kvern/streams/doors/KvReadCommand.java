package io.kvern.streams.doors;

import io.kvern.model.BlockKey;
import io.kvern.model.WriteMode;
import io.kvern.resp.server.RespReply;
import io.kvern.store.BlockInfo;
import io.kvern.store.BlockLease;
import io.kvern.streams.Answer;
import io.kvern.streams.NodeView;
import io.netty.buffer.ByteBuf;
import java.io.IOException;

/**
 * {@code KV.READ id [AFTER partition offset]}: length, CRC-32C and payload of the block, a nil array where it is not stored.
 * The payload is streamed as it stands on disk, for a receiver that checks the CRC in its own buffer and reports a bad one by
 * {@code KV.VERIFY}. {@code AFTER} waits until the node has applied that record of the log.
 */
final class KvReadCommand implements Command {
    private static final int PIECE_BYTES = 512 << 10;

    /** As in {@link BlockFetch}: the block is replaced between the look and the lease. */
    private static final int ATTEMPTS = 8;

    private final NodeView node;
    private final BlockLookup lookup;
    private final DoorCounters counters;

    KvReadCommand(NodeView node, BlockLookup lookup, DoorCounters counters) {
        this.node = node;
        this.lookup = lookup;
        this.counters = counters;
    }

    @Override
    public void run(Call call) throws IOException, InterruptedException {
        BlockKey key = call.key(1);
        Deadline deadline = lookup.deadline();
        if (call.command().size() > 2 && !awaitRecord(call, key, deadline)) {
            return;
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            switch (lookup.find(key, deadline)) {
                case Answer.Nil() -> {
                    counters.misses.increment();
                    call.reply().nullArray();
                    return;
                }
                case Answer.Unsure(String why) -> {
                    counters.unsure.increment();
                    call.reply().error("TRYAGAIN " + why);
                    return;
                }
                case Answer.Hit hit -> {
                    try (BlockLease lease = node.store().open(key)) {
                        if (lease != null && (hit.current() || lease.info().mode() == WriteMode.IF_ABSENT)) {
                            stream(lease, call.reply());
                            return;
                        }
                    }
                }
            }
        }
        counters.unsure.increment();
        call.reply().error("TRYAGAIN block %s was replaced %d times while it was opened".formatted(key.id(), ATTEMPTS));
    }

    /** @return whether the record is applied; if not, the reply says why */
    private boolean awaitRecord(Call call, BlockKey key, Deadline deadline) throws InterruptedException {
        if (call.command().size() != 5 || !call.is(2, "AFTER")) {
            call.reply().error("ERR syntax error");
            return false;
        }
        long partition = call.number(3);
        long offset = call.number(4);
        if (partition < 0 || offset < 0) {
            call.reply().error("ERR value is not an integer or out of range");
            return false;
        }
        int actual = node.partitionOf(key);
        if (partition != actual) {
            call.reply().error("ERR partition %d is not that of this id, which is %d".formatted(partition, actual));
            return false;
        }
        if (!node.awaitApplied(actual, offset, deadline.left())) {
            counters.unsure.increment();
            call.reply()
                    .error("TRYAGAIN partition %d is not applied up to offset %d here yet".formatted(actual, offset));
            return false;
        }
        return true;
    }

    /** The first piece is read before the header goes out: a disk that fails at once still gives an error, not a torn reply. */
    private void stream(BlockLease lease, RespReply reply) throws IOException, InterruptedException {
        BlockInfo info = lease.info();
        ByteBuf piece;
        try {
            piece = read(lease, 0, reply);
        } catch (IOException e) {
            counters.readErrors.increment();
            reply.error("ERR the block could not be read: " + e.getMessage());
            return;
        }
        counters.hits.increment();
        try {
            reply.array(3);
            reply.integer(info.length());
            reply.integer(Integer.toUnsignedLong(info.crc()));
            reply.bulkHeader(info.length());
        } catch (RuntimeException e) {
            piece.release();
            throw e;
        }
        int sent = piece.readableBytes();
        reply.write(piece);
        while (sent < info.length()) {
            piece = read(lease, sent, reply);
            sent += piece.readableBytes();
            reply.write(piece);
        }
        reply.bulkEnd();
    }

    private static ByteBuf read(BlockLease lease, int offset, RespReply reply)
            throws IOException, InterruptedException {
        int length = Math.min(PIECE_BYTES, lease.info().length() - offset);
        ByteBuf piece = reply.buffer(length);
        try {
            lease.read(offset, piece.nioBuffer(0, length));
            return piece.writerIndex(length);
        } catch (IOException | RuntimeException e) {
            piece.release();
            throw e;
        }
    }
}
