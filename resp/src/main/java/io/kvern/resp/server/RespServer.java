package io.kvern.resp.server;

import io.kvern.model.KvernException;
import io.kvern.resp.ReplySyntax;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for clients that speak the Redis protocol and hands their commands to sessions.
 *
 * <p>Threads: a few event loops move bytes; each connection that has commands to answer takes a platform thread for as long
 * as it has, so that a slow disk or a slow reader holds up nobody else. A platform thread, because reading files would pin
 * the few carriers of virtual ones.
 */
public final class RespServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RespServer.class);
    private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(5);

    private final RespServerConfig config;
    private final Supplier<RespSession> sessions;
    private final Counters counters = new Counters();
    private final BufferPool pool;
    private final ExecutorService executor;
    private final EventLoopGroup eventLoops;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger slotsTaken = new AtomicInteger();
    private final Object oneGone = new Object();
    private final Channel listener;
    private volatile boolean closing;

    private RespServer(RespServerConfig config, Supplier<RespSession> sessions, Transport transport) {
        this.config = config;
        this.sessions = sessions;
        this.pool = new BufferPool(config.memoryBytes(), config.setting("memory.bytes"));
        // Never more threads than connections, which are bounded.
        this.executor = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().name("kvern-resp-", 0).factory());
        this.eventLoops = new MultiThreadIoEventLoopGroup(
                config.ioThreads(), new DefaultThreadFactory("kvern-resp-io"), transport.ioHandlers());
        try {
            this.listener = listen(transport);
        } catch (Throwable e) {
            stopThreads();
            throw e;
        }
        long sweep = sweepMillis(config);
        var _ = eventLoops
                .next()
                .scheduleWithFixedDelay(
                        () -> connections.forEach(Connection::check), sweep, sweep, TimeUnit.MILLISECONDS);
        LOG.info("listening on {} ({})", listener.localAddress(), transport);
    }

    /**
     * Listens.
     *
     * @param sessions makes the session of a connection; called in an event loop, so it must not block
     * @throws KvernException if the address cannot be listened on
     */
    public static RespServer start(RespServerConfig config, Supplier<RespSession> sessions) {
        return start(config, sessions, Transport.best());
    }

    static RespServer start(RespServerConfig config, Supplier<RespSession> sessions, Transport transport) {
        return new RespServer(config, sessions, transport);
    }

    /** The port listened on. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    public RespServerStats stats() {
        return new RespServerStats(
                slotsTaken.get(),
                counters.accepted.sum(),
                counters.rejected.sum(),
                counters.commands.sum(),
                counters.errors.sum(),
                counters.protocolErrors.sum(),
                counters.timeouts.sum(),
                counters.bytesIn.sum(),
                counters.bytesOut.sum(),
                pool.inUse(),
                pool.limit());
    }

    /** {@link #close(Duration)} within 5 s. */
    @Override
    public void close() {
        close(CLOSE_DEADLINE);
    }

    /**
     * Takes no more clients and no more requests, answers those that came, then closes. Connections that are not done by the
     * deadline are cut off; a command that still runs then is left to end by itself.
     */
    public void close(Duration deadline) {
        synchronized (this) {
            if (closing) {
                return;
            }
            closing = true;
        }
        long until = System.nanoTime() + deadline.toNanos();
        var _ = listener.close().awaitUninterruptibly(deadline.toMillis());
        connections.forEach(Connection::drain);
        if (!awaitNoConnections(until)) {
            connections.forEach(Connection::cut);
            if (!awaitNoConnections(System.nanoTime() + TimeUnit.SECONDS.toNanos(1))) {
                LOG.warn("{} commands still run after the deadline of {}", connections.size(), deadline);
            }
        }
        stopThreads();
        pool.close();
    }

    private Channel listen(Transport transport) {
        var bound = new ServerBootstrap()
                .group(eventLoops)
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_BACKLOG, 511)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                // A client that sends its requests and closes its sending side still gets its replies.
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator(512, 4 << 10, 256 << 10))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        admit(channel);
                    }
                })
                .bind(config.host(), config.port())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            Throwable cause = bound.cause();
            throw new KvernException(
                    "cannot listen on %s:%d (setting %s): %s"
                            .formatted(config.host(), config.port(), config.setting("listen"), cause.getMessage()),
                    cause);
        }
        return bound.channel();
    }

    private void admit(SocketChannel channel) {
        if (slotsTaken.incrementAndGet() > config.maxConnections()) {
            slotsTaken.decrementAndGet();
            counters.rejected.increment();
            turnAway(
                    channel,
                    "ERR max number of clients reached: %d (setting %s)"
                            .formatted(config.maxConnections(), config.setting("max.connections")));
            return;
        }
        Connection connection;
        try {
            connection = new Connection(config, channel, sessions.get(), pool, executor, counters, this::release);
        } catch (Throwable e) {
            slotsTaken.decrementAndGet();
            throw e;
        }
        counters.accepted.increment();
        connections.add(connection);
        channel.pipeline().addLast(connection);
        if (closing) {
            connection.drain();
        }
    }

    private static void turnAway(SocketChannel channel, String error) {
        ByteBuf reply = channel.alloc().directBuffer(ReplySyntax.maxLineBytes(error));
        ReplySyntax.error(reply, error);
        channel.eventLoop().execute(() -> channel.writeAndFlush(reply).addListener(ChannelFutureListener.CLOSE));
    }

    private void release(Connection connection) {
        if (connections.remove(connection)) {
            slotsTaken.decrementAndGet();
        }
        synchronized (oneGone) {
            oneGone.notifyAll();
        }
    }

    private boolean awaitNoConnections(long untilNanos) {
        synchronized (oneGone) {
            while (!connections.isEmpty()) {
                long millis = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
                if (millis <= 0) {
                    return false;
                }
                try {
                    oneGone.wait(millis);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
        }
        return true;
    }

    private void stopThreads() {
        executor.shutdown();
        eventLoops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }

    /** Often enough for the shortest timeout, once a second at most. */
    private static long sweepMillis(RespServerConfig config) {
        long shortest = Math.min(
                config.memoryWait().toMillis(),
                Math.min(
                        config.requestTimeout().toMillis(),
                        config.replyTimeout().toMillis()));
        if (!config.idleTimeout().isZero()) {
            shortest = Math.min(shortest, config.idleTimeout().toMillis());
        }
        return Math.clamp(shortest / 4, 10, 1000);
    }
}
