package io.kvern.streams.doors;

import io.kvern.model.BlockKey;
import io.kvern.model.WriteMode;
import io.kvern.resp.server.BudgetSpentException;
import io.kvern.resp.server.RespReply;
import io.kvern.store.ReadResult;
import io.kvern.streams.Answer;
import io.kvern.streams.NodeView;
import io.netty.buffer.ByteBuf;

/** Reads whole blocks into direct memory of the door's budget, verified there before the client hears of them. */
final class BlockFetch {
    /** A block may be replaced while it is being read; after so many times the client may as well ask again. */
    private static final int ATTEMPTS = 8;

    /** Smaller replies are gathered with others instead of being sent alone. */
    private static final int GATHERED_BYTES = 4 << 10;

    private final NodeView node;
    private final BlockLookup lookup;
    private final DoorCounters counters;

    BlockFetch(NodeView node, BlockLookup lookup, DoorCounters counters) {
        this.node = node;
        this.lookup = lookup;
        this.counters = counters;
    }

    /** How a fetch ended. */
    sealed interface Result {
        /** @param bytes the block, verified; the taker releases it */
        record Bytes(ByteBuf bytes) implements Result {}

        record Nil() implements Result {}

        record Unsure(String why) implements Result {}

        record Failed(String why) implements Result {}
    }

    /** Answers with the block at {@code key} as one value: a bulk string, nil, or an error. */
    void answer(BlockKey key, Deadline deadline, RespReply reply) throws InterruptedException {
        switch (fetch(key, deadline, reply)) {
            case Result.Bytes(ByteBuf bytes) -> {
                counters.hits.increment();
                send(bytes, reply);
            }
            case Result.Nil() -> {
                counters.misses.increment();
                reply.nullBulk();
            }
            case Result.Unsure(String why) -> {
                counters.unsure.increment();
                reply.error("TRYAGAIN " + why);
            }
            case Result.Failed(String why) -> {
                counters.readErrors.increment();
                reply.error("ERR " + why);
            }
        }
    }

    private Result fetch(BlockKey key, Deadline deadline, RespReply reply) throws InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            switch (lookup.find(key, deadline)) {
                case Answer.Nil() -> {
                    return new Result.Nil();
                }
                case Answer.Unsure(String why) -> {
                    return new Result.Unsure(why);
                }
                case Answer.Hit hit -> {
                    ByteBuf buffer;
                    try {
                        buffer = reply.buffer(hit.info().length());
                    } catch (BudgetSpentException e) {
                        return new Result.Unsure(String.valueOf(e.getMessage()));
                    }
                    boolean taken = false;
                    try {
                        ReadResult result = node.store()
                                .readInto(key, buffer.nioBuffer(0, hit.info().length()));
                        if (result instanceof ReadResult.Loaded(var info)
                                && (hit.current() || info.mode() == WriteMode.IF_ABSENT)) {
                            taken = true;
                            return new Result.Bytes(buffer.writerIndex(info.length()));
                        }
                        if (result instanceof ReadResult.Failed(var _, String reason)) {
                            return new Result.Failed("block %s could not be read: %s".formatted(key.id(), reason));
                        }
                        if (result instanceof ReadResult.Corrupt) {
                            counters.corrupt.increment();
                        }
                        // Gone, dropped as damaged, or replaced by another: look again.
                    } finally {
                        if (!taken) {
                            buffer.release();
                        }
                    }
                }
            }
        }
        return new Result.Unsure("block %s was replaced %d times while it was read".formatted(key.id(), ATTEMPTS));
    }

    private static void send(ByteBuf bytes, RespReply reply) {
        if (bytes.readableBytes() <= GATHERED_BYTES) {
            try {
                reply.bulk(bytes.nioBuffer());
            } finally {
                bytes.release();
            }
            return;
        }
        reply.bulkHeader(bytes.readableBytes());
        reply.write(bytes);
        reply.bulkEnd();
    }
}
