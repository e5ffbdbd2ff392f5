package io.kvern.worker.log;

import io.kvern.model.BlockKey;
import io.kvern.protocol.ReplyEvent;
import io.kvern.worker.load.BlockLoad;
import io.kvern.worker.load.LoadRequest;
import io.kvern.worker.load.LoadStatus;
import io.kvern.worker.load.Room;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where one block of a load stands, and what an answer makes of it. All but {@link #assembly} is guarded by the load's lock.
 */
final class WantedBlock {
    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** What changed. */
    enum Effect {
        NONE,
        /** It is to be asked for again, now or later. */
        RESTS,
        ENDED
    }

    final LoadRequest request;
    final BlockKey key;
    final Room room;
    final BlockAssembly assembly;

    private boolean resting;
    private long dueAt;
    private int wrongs;
    private int unsures;

    /** What the node that was unsure last said; empty where none was. */
    private String unsure = "";

    /** Why the last request was not sent; empty where all were. */
    private String loss = "";

    private @Nullable BlockLoad result;

    WantedBlock(LoadRequest request, BlockKey key) {
        this.request = request;
        this.key = key;
        this.room = new Room(request.destination());
        this.assembly = new BlockAssembly(room);
    }

    boolean hasEnded() {
        return result != null;
    }

    /** Nanoseconds until it is to be asked for again, not negative; {@code otherwise} where nobody knows of such a moment. */
    long pauseLeft(long now, long otherwise) {
        return result == null && resting ? Math.max(0, dueAt - now) : otherwise;
    }

    /** Whether it is to be asked for now; if so, it no longer rests. */
    boolean takeTurn(long now, boolean silence) {
        boolean due = result == null && (silence || (resting && dueAt - now <= 0));
        resting &= !due;
        return due;
    }

    /** @param retryPause after the first answer that was unsure */
    Effect answered(ReplyEvent.Status status, Duration retryPause) {
        return switch (status.status()) {
            case MISS ->
                end(
                        LoadStatus.MISS,
                        0,
                        wrongs == 0 ? status.detail() : "the copy that was stored was damaged, and is gone");
            case REFUSED -> end(LoadStatus.REFUSED, 0, status.detail());
            case LATE -> end(LoadStatus.LATE, 0, status.detail());
            case CORRUPT -> wrong(status.detail());
            case UNSURE -> {
                unsure = status.detail().isEmpty() ? "the node is not sure" : status.detail();
                yield rest(Math.min(MAX_PAUSE_NANOS, retryPause.toNanos() << Math.min(unsures++, 16)));
            }
        };
    }

    /** Wrong bytes came, or none because the copy is damaged: once is tried again. */
    Effect wrong(String why) {
        return ++wrongs > 1 ? end(LoadStatus.CORRUPT, 0, why) : rest(0);
    }

    Effect notSent(String reason) {
        loss = "the request was not sent: " + reason;
        return resting ? Effect.NONE : rest(MAX_PAUSE_NANOS);
    }

    private Effect rest(long pauseNanos) {
        if (result != null) {
            return Effect.NONE;
        }
        resting = true;
        dueAt = System.nanoTime() + pauseNanos;
        return Effect.RESTS;
    }

    /** The first end counts. */
    Effect end(LoadStatus status, int length, String detail) {
        if (result != null) {
            return Effect.NONE;
        }
        result = new BlockLoad(request.id(), status, length, detail);
        return Effect.ENDED;
    }

    /**
     * How it ended, where the load is over.
     *
     * @param stopped why the load was stopped before its deadline; empty where it was not
     * @param mute why no request went out at all; empty where some did
     */
    BlockLoad conclude(String stopped, String mute) {
        BlockLoad ended = result;
        if (ended != null) {
            return ended;
        }
        if (!stopped.isEmpty()) {
            return new BlockLoad(request.id(), LoadStatus.UNSURE, 0, stopped);
        }
        return unsure.isEmpty()
                ? new BlockLoad(request.id(), LoadStatus.LATE, 0, mute.isEmpty() ? loss : mute)
                : new BlockLoad(request.id(), LoadStatus.UNSURE, 0, unsure);
    }
}
