package io.kvern.streams;

import io.kvern.model.BlockKey;
import io.kvern.model.WriteMode;
import io.kvern.protocol.LoadAnswer;
import io.kvern.protocol.LoadRequestEvent;
import io.kvern.protocol.ReplyEvent;
import io.kvern.protocol.ReplyEventCodec;
import io.kvern.protocol.Topics;
import io.kvern.store.BlockInfo;
import io.kvern.store.BlockLease;
import io.kvern.store.BlockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests of the log lane: each block as chunks read right behind their headers, or a status. It never waits: it
 * runs in the thread that applies blocks, and what is unsure stays unsure while it runs.
 */
final class LoadAnswerer {
    /** As in the doors: the block is replaced between the look and the lease. */
    private static final int ATTEMPTS = 8;

    /** Longest work on one request, whatever its deadline: blocks wait to be applied meanwhile. */
    private static final Duration MAX_WORK = Duration.ofSeconds(30);

    /** A request that is later than this is dropped without a word: nobody listens any more, clocks may differ by less. */
    private static final long SILENT_AFTER_MILLIS = 10_000;

    private final BlockStore store;
    private final Function<BlockKey, Certainty> certainty;
    private final ToIntFunction<BlockKey> partitionOf;
    private final LoadCounters counters;
    private final LongSupplier wallClock;

    /**
     * @param certainty what the node's answers about a key are worth now
     * @param partitionOf the partition that a key belongs to
     * @param wallClock milliseconds since 1970
     */
    LoadAnswerer(
            BlockStore store,
            Function<BlockKey, Certainty> certainty,
            ToIntFunction<BlockKey> partitionOf,
            LoadCounters counters,
            LongSupplier wallClock) {
        this.store = store;
        this.certainty = certainty;
        this.partitionOf = partitionOf;
        this.counters = counters;
        this.wallClock = wallClock;
    }

    /**
     * Answers every block of the request, or says at its deadline that the rest is late.
     *
     * @param partition that the request came on
     * @param out takes encoded events, in order
     */
    void answer(LoadRequestEvent request, int partition, Consumer<byte[]> out) {
        counters.requests.increment();
        long begun = System.nanoTime();
        List<BlockKey> keys = request.keys();
        for (int i = 0; i < keys.size(); i++) {
            long late = wallClock.getAsLong() - request.deadlineMillis();
            if (late >= 0 || System.nanoTime() - begun > MAX_WORK.toNanos()) {
                counters.late.add(keys.size() - i);
                if (late < SILENT_AFTER_MILLIS) {
                    String why = "the deadline was %d ms ago by this node's clock".formatted(late);
                    String tooMuch = "one request may take %d s of work".formatted(MAX_WORK.toSeconds());
                    out.accept(status(request.requestId(), null, LoadAnswer.LATE, late >= 0 ? why : tooMuch));
                }
                return;
            }
            BlockKey key = keys.get(i);
            int belongs = partitionOf.applyAsInt(key);
            if (belongs != partition) {
                String why = "the block belongs to partition %d; it was asked for on %d".formatted(belongs, partition);
                say(request, key, LoadAnswer.REFUSED, why, out);
            } else {
                answer(request, key, out);
            }
        }
    }

    private void answer(LoadRequestEvent request, BlockKey key, Consumer<byte[]> out) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            switch (Look.at(key, store, certainty)) {
                case null -> {
                    String why = "this node is behind on partition %d".formatted(partitionOf.applyAsInt(key));
                    say(request, key, LoadAnswer.UNSURE, why, out);
                    return;
                }
                case Answer.Unsure(String why) -> {
                    say(request, key, LoadAnswer.UNSURE, why, out);
                    return;
                }
                case Answer.Nil() -> {
                    say(request, key, LoadAnswer.MISS, "", out);
                    return;
                }
                case Answer.Hit hit -> {
                    try (BlockLease lease = store.open(key)) {
                        if (lease != null && (hit.current() || lease.info().mode() == WriteMode.IF_ABSENT)) {
                            send(request, key, lease, hit.current(), out);
                            return;
                        }
                    }
                }
            }
        }
        String why = "the block was replaced %d times while it was opened".formatted(ATTEMPTS);
        say(request, key, LoadAnswer.UNSURE, why, out);
    }

    private void send(LoadRequestEvent request, BlockKey key, BlockLease lease, boolean current, Consumer<byte[]> out) {
        BlockInfo info = lease.info();
        if (info.epoch() < request.epoch()) {
            String why = "the stored block is of epoch %d".formatted(info.epoch());
            say(request, key, current ? LoadAnswer.MISS : LoadAnswer.UNSURE, why, out);
            return;
        }
        CRC32C crc = new CRC32C();
        for (int offset = 0; offset < info.length(); offset += Topics.CHUNK_PAYLOAD_BYTES) {
            int length = Math.min(Topics.CHUNK_PAYLOAD_BYTES, info.length() - offset);
            byte[] frame =
                    ReplyEventCodec.chunkFrame(request.requestId(), key, offset, info.length(), info.crc(), length);
            ByteBuffer payload = ReplyEventCodec.payload(frame, length);
            try {
                lease.read(offset, payload);
            } catch (IOException e) {
                String why = "the block could not be read: %s".formatted(e.getMessage());
                say(request, key, LoadAnswer.REFUSED, why, out);
                return;
            }
            crc.update(payload.flip());
            if (offset + length == info.length() && (int) crc.getValue() != info.crc()) {
                // Before the last piece: the receiver would find out, but only this node can drop the copy.
                store.verify(key);
                say(request, key, LoadAnswer.CORRUPT, "the stored copy was damaged", out);
                return;
            }
            out.accept(frame);
        }
        counters.answered.increment();
        counters.bytes.add(info.length());
    }

    private void say(LoadRequestEvent request, BlockKey key, LoadAnswer answer, String detail, Consumer<byte[]> out) {
        switch (answer) {
            case MISS -> counters.misses.increment();
            case UNSURE -> counters.unsure.increment();
            case CORRUPT -> counters.corrupt.increment();
            case LATE -> counters.late.increment();
            case REFUSED -> counters.refused.increment();
        }
        out.accept(status(request.requestId(), key, answer, detail));
    }

    private static byte[] status(UUID requestId, @Nullable BlockKey key, LoadAnswer answer, String detail) {
        return ReplyEventCodec.encodeStatus(new ReplyEvent.Status(requestId, key, answer, detail));
    }
}
