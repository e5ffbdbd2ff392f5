package io.kvern.resp.server;

import io.kvern.model.KvernException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client: feeds the decoder, the decoder's commands into the lane, and stops reading while the lane is full or memory is
 * short. Event loop's thread but for what is marked.
 */
final class Connection extends ChannelInboundHandlerAdapter implements CommandLane.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    /** How long the rest of a refused request is read and thrown away, lest a reset overtake the error. */
    private static final long LINGER_MILLIS = 1000;

    private enum Phase {
        OPEN,
        /** No more requests are taken; replies are on their way. */
        DRAINING,
        /** The last reply is out; the client's bytes are thrown away until it closes. */
        LINGERING
    }

    private final RespServerConfig config;
    private final SocketChannel channel;
    private final BufferPool pool;
    private final Counters counters;
    private final Consumer<Connection> gone;
    private final RequestDecoder decoder;
    private final ReplyOutput output;
    private final CommandLane lane;

    private final Deque<ByteBuf> backlog = new ArrayDeque<>();
    private Phase phase = Phase.OPEN;
    private boolean lingers = true;
    private boolean paused;
    private BufferPool.@Nullable Claim claim;
    private long lastReadNanos = System.nanoTime();
    /** When the request that is not complete began, or the claim that it waits for was made. */
    private long waitingSinceNanos;

    /**
     * @param executor runs the lane
     * @param gone told, in any thread, when channel and lane have ended
     */
    Connection(
            RespServerConfig config,
            SocketChannel channel,
            RespSession session,
            BufferPool pool,
            Executor executor,
            Counters counters,
            Consumer<Connection> gone) {
        this.config = config;
        this.channel = channel;
        this.pool = pool;
        this.counters = counters;
        this.gone = gone;
        this.decoder = new RequestDecoder(config, channel.alloc(), pool);
        this.output = new ReplyOutput(channel, counters);
        RespReply reply = new RespReply(output, pool, config.memoryWait(), counters);
        this.lane = new CommandLane(config, session, reply, output, executor, counters, this);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        counters.bytesIn.add(bytes.readableBytes());
        lastReadNanos = System.nanoTime();
        if (phase == Phase.OPEN) {
            backlog.add(bytes);
            pump();
        } else {
            bytes.release();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            if (phase == Phase.LINGERING) {
                var _ = channel.close();
            } else {
                endInput();
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        stopDecoding();
        output.wake();
        lane.abandon();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("{}: {}", channel.remoteAddress(), cause.getMessage());
        } else {
            LOG.warn("{}: closed", channel.remoteAddress(), cause);
        }
        var _ = channel.close();
    }

    /** Answers what has been asked, then closes. Any thread. */
    void drain() {
        channel.eventLoop().execute(() -> {
            lingers = false;
            endInput();
        });
    }

    /** Closes at once. Any thread. */
    void cut() {
        var _ = channel.close();
    }

    /** Looks at the clocks. Any thread. */
    void check() {
        channel.eventLoop().execute(this::checkNow);
    }

    @Override
    public void roomAgain() {
        channel.eventLoop().execute(() -> {
            paused = false;
            pump();
        });
    }

    @Override
    public void finished() {
        // Closing a channel drops what it has not sent yet, so this waits behind all replies.
        var _ = channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> linger());
    }

    @Override
    public void broken() {
        var _ = channel.close();
    }

    @Override
    public void ended() {
        gone.accept(this);
    }

    /** Decodes what has come as far as lane and memory take it; reading goes on when nothing is left. */
    private void pump() {
        try {
            while (phase == Phase.OPEN && !paused && claim == null && !backlog.isEmpty()) {
                ByteBuf bytes = backlog.getFirst();
                boolean begins = !decoder.midRequest();
                switch (decoder.decode(bytes)) {
                    case MORE -> backlog.removeFirst().release();
                    case COMMAND -> {
                        begins = true;
                        paused = !lane.submit(decoder.take());
                    }
                    case BLOCKED -> claimMemory();
                }
                if (begins) {
                    waitingSinceNanos = System.nanoTime();
                }
            }
        } catch (KvernException e) {
            // Not the protocol, or no memory.
            refuse("ERR " + e.getMessage());
        }
        channel.config().setAutoRead(phase != Phase.OPEN || (!paused && claim == null));
    }

    private void claimMemory() {
        BufferPool.Claim mine = pool.claim(decoder.wantedBytes());
        claim = mine;
        waitingSinceNanos = System.nanoTime();
        var _ = mine.granted().whenComplete((memory, failure) -> {
            try {
                channel.eventLoop().execute(() -> granted(mine, memory, failure));
            } catch (RuntimeException e) {
                // The event loop has ended, and the claim with it.
                if (memory != null) {
                    memory.release();
                }
            }
        });
    }

    private void granted(BufferPool.Claim granted, @Nullable ByteBuf memory, @Nullable Throwable failure) {
        if (claim != granted) {
            // Given up before it came; whoever abandoned the claim releases the memory.
            return;
        }
        claim = null;
        waitingSinceNanos = System.nanoTime();
        if (memory == null) {
            refuse("ERR " + (failure == null ? "no memory" : failure.getMessage()));
            return;
        }
        decoder.supply(memory);
        pump();
    }

    private void refuse(String error) {
        counters.protocolErrors.increment();
        stopDecoding();
        lane.refuse(error);
    }

    private void endInput() {
        if (phase == Phase.OPEN) {
            stopDecoding();
            lane.endInput();
        }
    }

    private void stopDecoding() {
        if (phase == Phase.OPEN) {
            phase = Phase.DRAINING;
            BufferPool.Claim mine = claim;
            if (mine != null) {
                claim = null;
                pool.abandon(mine);
            }
            decoder.close();
            backlog.forEach(ByteBuf::release);
            backlog.clear();
            channel.config().setAutoRead(true);
        }
    }

    private void linger() {
        if (phase == Phase.LINGERING) {
            return;
        }
        stopDecoding();
        phase = Phase.LINGERING;
        if (!lingers || channel.isInputShutdown()) {
            var _ = channel.close();
            return;
        }
        var _ = channel.shutdownOutput();
        var _ = channel.eventLoop().schedule(this::cut, LINGER_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void checkNow() {
        long now = System.nanoTime();
        long lastWrite = output.lastProgressNanos();
        if (output.pending() > 0) {
            if (now - lastWrite > config.replyTimeout().toNanos()) {
                timeOut("took nothing of its replies for %s (setting %s)"
                        .formatted(config.replyTimeout(), config.setting("reply.timeout")));
                var _ = channel.close();
            }
        } else if (phase != Phase.OPEN) {
            return;
        } else if (claim != null) {
            if (now - waitingSinceNanos > config.memoryWait().toNanos()) {
                refuse("ERR a request waited %d ms for %d bytes of memory: %d of %d are in use (setting %s)"
                        .formatted(
                                config.memoryWait().toMillis(),
                                decoder.wantedBytes(),
                                pool.inUse(),
                                pool.limit(),
                                config.setting("memory.bytes")));
            }
        } else if (decoder.midRequest() && !paused) {
            if (now - waitingSinceNanos > config.requestTimeout().toNanos()) {
                String text = "a request was not complete within %d ms (setting %s)"
                        .formatted(config.requestTimeout().toMillis(), config.setting("request.timeout"));
                timeOut(text);
                refuse("ERR " + text);
            }
        } else if (!config.idleTimeout().isZero()
                && lane.idle()
                && now - Math.max(lastReadNanos, lastWrite)
                        > config.idleTimeout().toNanos()) {
            timeOut("was idle for %s (setting %s)".formatted(config.idleTimeout(), config.setting("idle.timeout")));
            var _ = channel.close();
        }
    }

    private void timeOut(String why) {
        counters.timeouts.increment();
        LOG.debug("{}: {}", channel.remoteAddress(), why);
    }
}
