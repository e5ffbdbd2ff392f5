package io.kvern.worker.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One store node: a bounded queue of exchanges that its lanes pull from, and its health. Safe in any thread. */
final class Endpoint {
    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);
    private static final String CLOSED = "the loader is closed";
    private static final long JOIN_MILLIS = 2000;

    private final int index;
    private final InetSocketAddress address;
    private final LoaderConfig config;
    private final Counters counters;

    private final ArrayDeque<Exchange> queue = new ArrayDeque<>();
    private final @Nullable Lane[] lanes;
    /** Which lanes have something in flight: what waits is left to the others first. */
    private final boolean[] busy;

    private final Health health = new Health();
    private boolean closed;

    Endpoint(int index, InetSocketAddress address, LoaderConfig config, Counters counters) {
        this.index = index;
        this.address = address;
        this.config = config;
        this.counters = counters;
        this.lanes = new Lane[config.socketsPerEndpoint()];
        this.busy = new boolean[lanes.length];
    }

    int index() {
        return index;
    }

    InetSocketAddress address() {
        return address;
    }

    String name() {
        return address.getHostString() + ":" + address.getPort();
    }

    /**
     * Queues an exchange for the next lane that has room.
     *
     * @return false where the queue is full
     */
    boolean offer(Exchange exchange) {
        String unable = null;
        synchronized (this) {
            if (queue.size() >= config.maxQueuedBlocks()) {
                return false;
            }
            if (closed) {
                unable = CLOSED;
            } else {
                queue.addLast(exchange);
                unable = rouse();
                if (unable != null) {
                    queue.removeLastOccurrence(exchange);
                }
            }
        }
        if (unable != null) {
            exchange.end(new Outcome.Lost(unable));
        }
        return true;
    }

    /** Wakes or starts a lane for what was queued last; null, or why there is none. */
    private @Nullable String rouse() {
        int started = 0;
        int vacant = -1;
        int resting = 0;
        Lane first = null;
        for (int i = 0; i < lanes.length; i++) {
            Lane lane = lanes[i];
            if (lane == null) {
                vacant = i;
            } else {
                started++;
                if (!busy[i]) {
                    resting++;
                    first = lane;
                }
            }
        }
        if (vacant >= 0 && queue.size() > resting) {
            String unable = start(vacant);
            if (unable == null || started == 0) {
                return unable;
            }
        }
        if (first != null && queue.size() == 1) {
            first.wake();
        } else {
            wakeLanes();
        }
        return null;
    }

    private @Nullable String start(int vacant) {
        try {
            lanes[vacant] = Lane.start(this, vacant, config, counters);
            return null;
        } catch (IOException | OutOfMemoryError e) {
            // Out of descriptors or threads. Lanes that run already do the work.
            LOG.warn("no further connection to {}: {}", name(), e.toString());
            return "no connection to store node %s can be started: %s".formatted(name(), e);
        }
    }

    private void wakeLanes() {
        for (Lane lane : lanes) {
            if (lane != null) {
                lane.wake();
            }
        }
    }

    /**
     * The next exchange for lane {@code lane}. One that has something in flight already gets more only when there is more
     * than the resting lanes can take, so that few blocks spread over all sockets; and the less is left, the less it may
     * hold, so that all lanes end together.
     */
    synchronized @Nullable Exchange take(int lane, int inFlight) {
        busy[lane] = inFlight > 0;
        int resting = 0;
        for (boolean other : busy) {
            resting += other ? 0 : 1;
        }
        if (queue.isEmpty()) {
            return null;
        }
        if (inFlight > 0 && (queue.size() <= resting || inFlight > 1 + queue.size() / lanes.length)) {
            return null;
        }
        busy[lane] = true;
        return queue.pollFirst();
    }

    /** Whether some lane has nothing in flight, or could be started. */
    synchronized boolean hasRestingLane() {
        for (boolean lane : busy) {
            if (!lane) {
                return true;
            }
        }
        return false;
    }

    /** Puts exchanges that a connection was closed under, through no fault of theirs, in front, in their order. */
    void takeBack(List<Exchange> exchanges) {
        List<Exchange> ended = new ArrayList<>();
        synchronized (this) {
            for (Exchange exchange : exchanges.reversed()) {
                if (closed || exchange.abandoned()) {
                    ended.add(exchange);
                } else {
                    exchange.restart();
                    queue.addFirst(exchange);
                    rouse();
                }
            }
        }
        ended.forEach(exchange -> exchange.end(new Outcome.Lost("the loader is closed, or nobody waits any more")));
    }

    Health health() {
        return health;
    }

    void failed(String reason, Health.Gravity gravity) {
        counters.losses.increment();
        long rest = health.failed(reason, gravity);
        if (rest > 0) {
            LOG.warn("store node {} is left alone for {} ms: {}", name(), rest, reason);
        }
    }

    /** Null where the node may be asked, else why not. */
    @Nullable
    String whyDown() {
        return isClosed() ? CLOSED : health.whyResting();
    }

    synchronized void abandonmentHappened() {
        queue.removeIf(Exchange::abandoned);
        wakeLanes();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** A lane's thread ends; the next exchange starts another. */
    synchronized void ended(int lane) {
        lanes[lane] = null;
        busy[lane] = false;
    }

    /** Ends what is queued and under way, and the lanes; waits for them at most 2 s each. */
    void close() {
        List<Exchange> queued;
        List<Lane> running = new ArrayList<>();
        synchronized (this) {
            closed = true;
            queued = List.copyOf(queue);
            queue.clear();
            for (Lane lane : lanes) {
                if (lane != null) {
                    running.add(lane);
                    lane.wake();
                }
            }
        }
        queued.forEach(exchange -> exchange.end(new Outcome.Lost(CLOSED)));
        for (Lane lane : running) {
            if (!lane.join(JOIN_MILLIS)) {
                LOG.warn("a connection thread to {} did not end in {} ms", name(), JOIN_MILLIS);
            }
        }
    }
}
