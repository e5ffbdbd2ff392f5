package io.kvern.worker.log;

import io.kvern.protocol.LoadRequestCodec;
import io.kvern.protocol.LoadRequestEvent;
import io.kvern.protocol.ReplyEvent;
import io.kvern.worker.load.BlockLoad;
import io.kvern.worker.load.LoadRequest;
import io.kvern.worker.load.LoadStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * One load: it is asked for in the caller's thread, answered in the reader's.
 *
 * <pre>
 * asked ─▶ right bytes ─▶ LOADED        wrong bytes, or a damaged copy ─▶ asked once more, then CORRUPT
 *       ─▶ MISS, REFUSED, LATE          unsure, or not sent ─▶ pause, asked again
 *       ─▶ silence ─▶ asked again       deadline ─▶ LATE, or UNSURE where a node had said so
 * </pre>
 */
final class LogLoad {
    private final LogLoader loader;
    private final long deadlineAt;
    private final List<WantedBlock> blocks = new ArrayList<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Of the caller's thread. */
    private final List<UUID> requests = new ArrayList<>();

    private int settled;
    private boolean urgent;
    /** From here on replies change nothing. */
    private boolean over;

    private volatile long heardAt;

    LogLoad(LogLoader loader, List<LoadRequest> wanted, long deadlineAt) {
        this.loader = loader;
        this.deadlineAt = deadlineAt;
        for (LoadRequest request : wanted) {
            blocks.add(new WantedBlock(request, loader.config().namespace().key(request.id())));
        }
    }

    /** Runs until every block has ended or the deadline has passed. After it, no destination is touched any more. */
    List<BlockLoad> run() {
        String mute = "";
        boolean interrupted = false;
        try {
            if (!blocks.isEmpty() && deadlineAt - System.nanoTime() > 0) {
                if (loader.reader().awaitPosition(deadlineAt)) {
                    converse();
                } else {
                    mute = loader.reader().whyNotPositioned();
                }
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            lock.lock();
            try {
                over = true;
            } finally {
                lock.unlock();
            }
            requests.forEach(loader::forget);
            blocks.forEach(block -> block.room.shut());
        }
        String stopped = "";
        if (interrupted) {
            stopped = "the load was interrupted";
            Thread.currentThread().interrupt();
        } else if (loader.isClosed()) {
            stopped = "the loader was closed";
        }
        List<BlockLoad> results = new ArrayList<>(blocks.size());
        for (WantedBlock block : blocks) {
            results.add(block.conclude(stopped, mute));
        }
        return results;
    }

    private void converse() throws InterruptedException {
        heardAt = System.nanoTime();
        long silence = loader.config().silence().toNanos();
        List<WantedBlock> due = blocks;
        while (true) {
            ask(due);
            lock.lockInterruptibly();
            try {
                long now = System.nanoTime();
                long wakeAt = wakeAt(now, silence);
                while (!urgent && settled < blocks.size() && !loader.isClosed() && wakeAt - now > 0) {
                    changed.awaitNanos(wakeAt - now);
                    now = System.nanoTime();
                }
                urgent = false;
                if (settled == blocks.size() || loader.isClosed() || deadlineAt - now <= 0) {
                    return;
                }
                boolean silent = now - heardAt >= silence;
                if (silent) {
                    heardAt = now;
                    silence *= 2;
                }
                due = due(now, silent);
            } finally {
                lock.unlock();
            }
        }
    }

    private long wakeAt(long now, long silence) {
        long wait = Math.min(deadlineAt - now, Math.max(0, heardAt + silence - now));
        for (WantedBlock block : blocks) {
            wait = Math.min(wait, block.pauseLeft(now, wait));
        }
        return now + wait;
    }

    /** Blocks whose pause is over; in silence all that have no answer. */
    private List<WantedBlock> due(long now, boolean silent) {
        return blocks.stream().filter(block -> block.takeTurn(now, silent)).toList();
    }

    private void ask(List<WantedBlock> wanted) {
        for (RequestGroup group : RequestGroup.of(wanted, loader.config().partitions())) {
            UUID id = loader.register(new LogLoader.Asked(this, group.blocks()));
            requests.add(id);
            long left = TimeUnit.NANOSECONDS.toMillis(deadlineAt - System.nanoTime());
            LoadRequestEvent request = new LoadRequestEvent(
                    id,
                    loader.config().worker(),
                    group.keys(),
                    0,
                    System.currentTimeMillis() + Math.max(1, left),
                    loader.config().replyPartition(),
                    0);
            loader.counters().requests.increment();
            byte[] key = group.keys().getFirst().toBytes();
            byte[] value = LoadRequestCodec.encode(request);
            loader.sender()
                    .send(group.partition(), key, value, () -> !isOver(), reason -> notSent(group.blocks(), reason));
        }
    }

    private boolean isOver() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }

    private void notSent(List<WantedBlock> named, String reason) {
        named.forEach(block -> change(() -> block.notSent(reason)));
    }

    /**
     * A reply, in the reader's thread.
     *
     * @param named the blocks of the request that it answers
     */
    void take(ReplyEvent reply, List<WantedBlock> named) {
        heardAt = System.nanoTime();
        for (WantedBlock block : named) {
            switch (reply) {
                case ReplyEvent.Chunk chunk -> {
                    if (block.key.equals(chunk.key())) {
                        take(chunk, block);
                    }
                }
                case ReplyEvent.Status status -> {
                    if (status.key() == null || block.key.equals(status.key())) {
                        change(() -> block.answered(status, loader.config().retryPause()));
                    }
                }
            }
        }
    }

    private void take(ReplyEvent.Chunk chunk, WantedBlock block) {
        if (hasEnded(block)) {
            loader.counters().ignored.increment();
            return;
        }
        // Two blocks of a load may be one: each takes the payload from its start.
        ReplyEvent.Chunk own = new ReplyEvent.Chunk(
                chunk.requestId(),
                chunk.key(),
                chunk.offset(),
                chunk.totalLength(),
                chunk.blockCrc(),
                chunk.payload().duplicate());
        switch (block.assembly.take(own)) {
            case TAKEN, SHUT -> {}
            case IGNORED -> loader.counters().ignored.increment();
            case COMPLETE -> change(() -> block.end(LoadStatus.LOADED, chunk.totalLength(), ""));
            case WRONG -> {
                loader.counters().wrongCrcs.increment();
                change(() -> block.wrong("the bytes that came had a wrong CRC32C, twice"));
            }
            case TOO_LONG -> {
                String why = "the block has %d bytes; its destination has room for %d"
                        .formatted(chunk.totalLength(), block.room.capacity());
                change(() -> block.end(LoadStatus.REFUSED, 0, why));
            }
        }
    }

    private boolean hasEnded(WantedBlock block) {
        lock.lock();
        try {
            return over || block.hasEnded();
        } finally {
            lock.unlock();
        }
    }

    /** Wakes the caller where there is something to do, or nothing left. */
    private void change(Supplier<WantedBlock.Effect> change) {
        lock.lock();
        try {
            if (over) {
                return;
            }
            switch (change.get()) {
                case NONE -> {}
                case RESTS -> urgent = true;
                case ENDED -> settled++;
            }
            if (urgent || settled == blocks.size()) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    void wake() {
        lock.lock();
        try {
            changed.signal();
        } finally {
            lock.unlock();
        }
    }
}
