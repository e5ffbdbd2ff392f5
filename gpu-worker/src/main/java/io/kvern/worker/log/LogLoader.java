package io.kvern.worker.log;

import io.kvern.protocol.ReplyEvent;
import io.kvern.worker.load.BlockLoad;
import io.kvern.worker.load.BlockSource;
import io.kvern.worker.load.Destinations;
import io.kvern.worker.load.LoadRequest;
import io.kvern.worker.load.LoadResult;
import io.kvern.worker.load.LoadStatus;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The log lane: asks for blocks in {@code kvern.loads} and takes them from a partition of {@code kvern.replies}, for a worker
 * that can reach only the brokers. One producer, one consumer, a thread for each. The bytes of a reply are copied once, from
 * the record into the destination, and their CRC is taken there.
 *
 * <p>Replies are held in memory by two fetches at most; what a slow reader has not fetched waits in the topic. Clocks of
 * worker and nodes have to agree to within the deadlines that are given: a node does not answer what is over by its clock.
 */
public final class LogLoader implements BlockSource {
    private final LogLoaderConfig config;
    private final LogCounters counters = new LogCounters();
    private final Map<UUID, Asked> asked = new ConcurrentHashMap<>();
    private final Set<LogLoad> running = ConcurrentHashMap.newKeySet();
    private final long incarnation = new SecureRandom().nextLong();
    private final AtomicLong sequence = new AtomicLong();
    private final RequestSender sender;
    private final ReplyReader reader;
    private volatile boolean closed;

    /**
     * One request that is out.
     *
     * @param blocks of the load that are asked for
     */
    record Asked(LogLoad load, List<WantedBlock> blocks) {}

    /**
     * Connects in the background: an absent broker is no error here.
     *
     * @throws io.kvern.model.InvalidInputException if Kafka refuses a setting, or no name of the brokers can be resolved
     */
    public LogLoader(LogLoaderConfig config) {
        this.config = config;
        this.reader = new ReplyReader(config, this::dispatch, counters);
        try {
            this.sender = new RequestSender(config);
        } catch (RuntimeException e) {
            reader.close();
            throw e;
        }
        reader.start();
    }

    @Override
    public LoadResult load(List<LoadRequest> requests, Duration deadline) {
        long start = System.nanoTime();
        refuseWhenClosed();
        Destinations.check(requests);
        LogLoad load = new LogLoad(this, requests, start + nanos(deadline));
        List<BlockLoad> blocks;
        running.add(load);
        try {
            blocks = load.run();
        } finally {
            running.remove(load);
        }
        for (int i = 0; i < blocks.size(); i++) {
            if (blocks.get(i).status() == LoadStatus.LOADED) {
                var destination = requests.get(i).destination();
                destination.position(destination.position() + blocks.get(i).length());
            }
        }
        LoadResult result = LoadResult.of(blocks, Duration.ofNanos(System.nanoTime() - start));
        counters.count(result);
        return result;
    }

    private void dispatch(ReplyEvent reply) {
        Asked request = asked.get(reply.requestId());
        if (request == null) {
            counters.foreign.increment();
        } else {
            request.load().take(reply, request.blocks());
        }
    }

    LogLoaderConfig config() {
        return config;
    }

    LogCounters counters() {
        return counters;
    }

    ReplyReader reader() {
        return reader;
    }

    RequestSender sender() {
        return sender;
    }

    boolean isClosed() {
        return closed;
    }

    /** A request id, known to the reader from now on. */
    UUID register(Asked request) {
        UUID id = new UUID(incarnation, sequence.incrementAndGet());
        asked.put(id, request);
        return id;
    }

    /** Replies to this request are nobody's from now on. */
    void forget(UUID requestId) {
        asked.remove(requestId);
    }

    /** The counters as they stand. */
    public LogLoaderStats stats() {
        return counters.snapshot();
    }

    @Override
    public void close() {
        closed = true;
        running.forEach(LogLoad::wake);
        reader.close();
        sender.close();
    }

    private void refuseWhenClosed() {
        if (closed) {
            throw new IllegalStateException("the log loader is closed");
        }
    }

    /** At most a century: sums with the clock do not overflow. */
    private static long nanos(Duration duration) {
        return Math.clamp(TimeUnit.NANOSECONDS.convert(duration), 0, TimeUnit.DAYS.toNanos(36_500));
    }
}
