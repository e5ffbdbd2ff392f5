package io.kvern.resp.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands of one connection, handled in order, one at a time, on a thread that it takes from the executor while there
 * are any. Filled by the event loop, which stops reading while the lane is full.
 */
final class CommandLane implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(CommandLane.class);

    /** What the lane tells its connection. Called in the lane's thread, or in that of {@link #abandon}. */
    interface Listener {
        /** There is room again after {@link #submit} said that there was none. */
        void roomAgain();

        /** Everything due is handed to the output; nothing more will come: send it and close. */
        void finished();

        /** The reply stream is broken: close at once. */
        void broken();

        /** The client is gone and the last command has ended. Once. */
        void ended();
    }

    private sealed interface Entry {
        record Call(RespCommand command) implements Entry {}

        record Refusal(String error) implements Entry {}
    }

    private final RespServerConfig config;
    private final RespSession session;
    private final RespReply reply;
    private final ReplyOutput output;
    private final Executor executor;
    private final Counters counters;
    private final Listener listener;

    // All below under the lane's own lock.
    private final Deque<Entry> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private boolean running;
    private boolean readerWaits;
    private boolean inputEnded;
    private boolean abandoned;

    CommandLane(
            RespServerConfig config,
            RespSession session,
            RespReply reply,
            ReplyOutput output,
            Executor executor,
            Counters counters,
            Listener listener) {
        this.config = config;
        this.session = session;
        this.reply = reply;
        this.output = output;
        this.executor = executor;
        this.counters = counters;
        this.listener = listener;
    }

    /**
     * Appends a command, which is the lane's from now on.
     *
     * @return whether more may come now; if not, {@link Listener#roomAgain} follows
     */
    synchronized boolean submit(RespCommand command) {
        if (inputEnded || abandoned) {
            command.release();
            return true;
        }
        waitingBytes += command.heldBytes();
        append(new Entry.Call(command));
        readerWaits = full();
        return !readerWaits;
    }

    /** Appends an error, after which the connection is closed. */
    synchronized void refuse(String error) {
        if (!inputEnded && !abandoned) {
            append(new Entry.Refusal(error));
            inputEnded = true;
        }
    }

    /** Nothing more will be submitted; the connection is closed when all is answered. */
    synchronized void endInput() {
        if (inputEnded || abandoned) {
            return;
        }
        inputEnded = true;
        start();
    }

    /** The client is gone: what waits is dropped, what runs ends by itself. */
    void abandon() {
        boolean idle;
        synchronized (this) {
            if (abandoned) {
                return;
            }
            abandoned = true;
            clear();
            idle = !running;
        }
        if (idle) {
            end();
        }
    }

    /** Whether no command runs or waits. */
    synchronized boolean idle() {
        return !running;
    }

    @Override
    public void run() {
        while (true) {
            Entry next = next();
            if (next == null) {
                return;
            }
            switch (next) {
                case Entry.Call(RespCommand command) -> {
                    try {
                        handle(command);
                    } finally {
                        command.release();
                    }
                }
                case Entry.Refusal(String error) -> refuseNow(error);
            }
        }
    }

    private void append(Entry entry) {
        waiting.add(entry);
        start();
    }

    private void start() {
        if (running) {
            return;
        }
        try {
            executor.execute(this);
            running = true;
        } catch (Throwable e) {
            // No thread to be had: the connection is closed for it, with nothing left behind.
            clear();
            throw e;
        }
    }

    private boolean full() {
        return waiting.size() >= config.maxPipelinedCommands() || waitingBytes >= config.maxPipelinedBytes();
    }

    /** The next entry to handle, or null when the thread has to go: after a flush, so that no reply is left behind. */
    private @Nullable Entry next() {
        boolean flushed = false;
        while (true) {
            boolean roomAgain;
            boolean leave;
            boolean gone;
            boolean done;
            Entry entry;
            synchronized (this) {
                entry = waiting.poll();
                if (entry instanceof Entry.Call(RespCommand command)) {
                    waitingBytes -= command.heldBytes();
                }
                roomAgain = readerWaits && !full();
                readerWaits &= !roomAgain;
                leave = entry == null && (flushed || abandoned);
                running = !leave;
                gone = leave && abandoned;
                done = leave && inputEnded;
            }
            if (roomAgain) {
                listener.roomAgain();
            }
            if (gone) {
                end();
            } else if (done) {
                listener.finished();
            }
            if (leave || entry != null) {
                return entry;
            }
            flushed = true;
            try {
                output.flush();
            } catch (OutputClosedException e) {
                giveUp();
            }
        }
    }

    private void handle(RespCommand command) {
        reply.begin();
        counters.commands.increment();
        try {
            session.handle(command, reply);
            if (!reply.complete()) {
                throw new IllegalStateException("the reply to %s is not complete".formatted(command.name()));
            }
            if (reply.closing()) {
                lastReply();
            }
        } catch (OutputClosedException e) {
            giveUp();
        } catch (Throwable e) {
            // The shell survives whatever a command does; an error of the VM is reported like any other. An interrupt
            // is not
            // passed on: in this thread it would close the files that later commands read.
            LOG.warn("{} failed{}", command.name(), reply.begun() ? " in the middle of its reply" : "", e);
            internalError(e);
        }
    }

    private void internalError(Throwable e) {
        if (reply.begun()) {
            giveUp();
            return;
        }
        try {
            reply.error("ERR internal error: %s: %s".formatted(e.getClass().getSimpleName(), e.getMessage()));
        } catch (OutputClosedException closed) {
            giveUp();
        }
    }

    private void refuseNow(String error) {
        reply.begin();
        try {
            reply.error(error);
        } catch (OutputClosedException e) {
            giveUp();
        }
    }

    private synchronized void lastReply() {
        clear();
        inputEnded = true;
    }

    private void giveUp() {
        synchronized (this) {
            clear();
            inputEnded = true;
        }
        output.discard();
        listener.broken();
    }

    private void clear() {
        for (Entry entry : waiting) {
            if (entry instanceof Entry.Call(RespCommand command)) {
                command.release();
            }
        }
        waiting.clear();
        waitingBytes = 0;
    }

    private void end() {
        output.discard();
        try {
            session.close();
        } catch (RuntimeException e) {
            LOG.warn("a session failed to close", e);
        } finally {
            listener.ended();
        }
    }
}
