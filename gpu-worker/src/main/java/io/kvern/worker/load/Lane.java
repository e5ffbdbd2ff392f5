package io.kvern.worker.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that keeps one connection to an endpoint, opens it when there is work, and pulls exchanges through it. It never
 * waits but in its selector, and never longer than the connection's next deadline.
 */
final class Lane {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    private static final long LOOK_NANOS = 20_000_000;

    private final Endpoint endpoint;
    private final int index;
    private final LoaderConfig config;
    private final Counters counters;
    private final Selector selector;
    private final Thread thread;
    private final Connection.Buffers buffers = new Connection.Buffers();

    private @Nullable Connection connection;

    private Lane(Endpoint endpoint, int index, LoaderConfig config, Counters counters) throws IOException {
        this.endpoint = endpoint;
        this.index = index;
        this.config = config;
        this.counters = counters;
        this.selector = Selector.open();
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("kvern-load-%s-%d".formatted(endpoint.name(), index))
                .unstarted(this::run);
    }

    /** Starts a lane; throws where there is no selector or no thread to be had, and leaves nothing behind. */
    static Lane start(Endpoint endpoint, int index, LoaderConfig config, Counters counters) throws IOException {
        Lane lane = new Lane(endpoint, index, config, counters);
        try {
            lane.thread.start();
            return lane;
        } catch (OutOfMemoryError e) {
            lane.selector.close();
            throw e;
        }
    }

    void wake() {
        selector.wakeup();
    }

    boolean join(long millis) {
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(millis);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    private void run() {
        try (selector) {
            while (!endpoint.isClosed()) {
                try {
                    turn();
                } catch (IOException | RuntimeException e) {
                    if (connection == null) {
                        // Not about a connection: without a selector there is nothing left to do here.
                        throw e;
                    }
                    drop(e);
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("{} ends; the next load starts another", thread.getName(), e);
        } finally {
            endpoint.ended(index);
            drop(new AbandonedException("the loader is closed"));
        }
    }

    private void turn() throws IOException {
        if (connection != null && connection.hasAbandoned()) {
            drop(new AbandonedException("nobody waits for a reply any more"));
        }
        pull();
        long patience = Long.MAX_VALUE;
        if (connection != null) {
            connection.send();
            long now = System.nanoTime();
            if (connection.followersWait(now) && endpoint.hasRestingLane()) {
                endpoint.takeBack(connection.letFollowersGo());
            }
            patience = Math.min(connection.patience(now), nextLook(connection.followersPatience(now)));
        }
        boolean ready = select(patience);
        if (connection == null) {
            return;
        }
        if (ready) {
            int before = connection.inFlight();
            connection.proceed();
            if (connection.inFlight() < before) {
                endpoint.health().succeeded();
            }
        }
        String overdue = connection.overdue(System.nanoTime());
        if (overdue != null) {
            throw new InterruptedIOException(overdue);
        }
    }

    /** Followers that are due but have nowhere to go are looked at again later. */
    private static long nextLook(long followersPatience) {
        return followersPatience > 0 ? followersPatience : LOOK_NANOS;
    }

    private boolean select(long patience) throws IOException {
        if (patience == Long.MAX_VALUE) {
            selector.select();
        } else {
            // Rounded up: a deadline that is a fraction of a millisecond away must not spin.
            long millis = TimeUnit.NANOSECONDS.toMillis(Math.max(0, patience)) + 1;
            selector.select(millis);
        }
        boolean ready = !selector.selectedKeys().isEmpty();
        selector.selectedKeys().clear();
        return ready;
    }

    private void pull() {
        while (connection == null || connection.hasSpace()) {
            Exchange next = endpoint.take(index, connection == null ? 0 : connection.inFlight());
            if (next == null) {
                return;
            }
            if (next.abandoned()) {
                next.end(new Outcome.Lost("nobody waits any more"));
            } else if (connection != null) {
                connection.add(next);
            } else {
                connect(next);
            }
        }
    }

    private void connect(Exchange first) {
        String down = endpoint.whyDown();
        if (down != null) {
            first.end(new Outcome.Lost(down));
            return;
        }
        try {
            Connection begun = Connection.open(config, endpoint.address(), selector, buffers);
            counters.connects.increment();
            begun.add(first);
            connection = begun;
        } catch (IOException | RuntimeException e) {
            String reason = said(e);
            endpoint.failed(reason, Health.Gravity.UNREACHABLE);
            first.end(new Outcome.Lost(reason));
        }
    }

    /**
     * Gives the connection up. Whatever the server was busy with ends by it; what waited behind goes again on another
     * connection, so that one poisonous block cannot take its neighbours along.
     */
    private void drop(Exception cause) {
        Connection dropped = connection;
        connection = null;
        if (dropped == null) {
            return;
        }
        List<Exchange> left = dropped.close();
        switch (cause) {
            case AbandonedException _ -> endpoint.takeBack(left);
            case NotAdmittedException _ -> {
                counters.losses.increment();
                left.forEach(exchange -> exchange.end(admission(cause)));
            }
            case RuntimeException _ -> {
                // A destination whose memory went away, or an error of ours: the server is not to blame.
                LOG.warn("{} gives a load up", thread.getName(), cause);
                blame(left, new Outcome.Refused("the loader met " + cause));
            }
            default -> {
                if (!left.isEmpty() || !(cause instanceof EOFException)) {
                    endpoint.failed(said(cause), gravity(dropped, cause));
                }
                blame(left, new Outcome.Lost(said(cause)));
            }
        }
    }

    private Health.Gravity gravity(Connection dropped, Exception cause) {
        boolean hung = cause instanceof InterruptedIOException
                && endpoint.health().silentFor(config.stallTimeout().toNanos());
        if (hung || !dropped.isOpen()) {
            return Health.Gravity.UNREACHABLE;
        }
        return dropped.hasAnswered() ? Health.Gravity.BROKE : Health.Gravity.FRUITLESS;
    }

    private void blame(List<Exchange> left, Outcome outcome) {
        if (!left.isEmpty()) {
            left.getFirst().end(outcome);
            endpoint.takeBack(left.subList(1, left.size()));
        }
    }

    private static Outcome admission(Exception cause) {
        String text = String.valueOf(cause.getMessage());
        return Exchange.ofError(text) instanceof Outcome.Unsure unsure
                ? unsure
                : new Outcome.Refused("AUTH was refused: " + text);
    }

    private String said(Exception cause) {
        String message = cause.getMessage();
        return "store node %s: %s".formatted(endpoint.name(), message == null ? cause.toString() : message);
    }
}
