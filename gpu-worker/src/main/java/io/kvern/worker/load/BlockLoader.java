package io.kvern.worker.load;

import io.kvern.model.BlockId;
import io.kvern.model.Slot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Brings blocks of one namespace from store nodes into the caller's memory. Safe in any thread; loads of several threads
 * share the sockets. Connections and their threads, at most {@code socketsPerEndpoint} per node, start with the first load.
 *
 * <p>Trouble of the network or of a server is never an exception: it is the status of the blocks that it struck.
 */
public final class BlockLoader implements BlockSource {
    private static final int MATCH_IDS = 4096;
    private static final int MATCH_LOSSES = 2;

    private final LoaderConfig config;
    private final Counters counters = new Counters();
    private final List<Endpoint> endpoints = new ArrayList<>();
    private final Router router;
    private volatile boolean closed;

    public BlockLoader(LoaderConfig config) {
        this.config = config;
        for (int i = 0; i < config.endpoints().size(); i++) {
            endpoints.add(new Endpoint(i, config.endpoints().get(i), config, counters));
        }
        this.router = new Router(endpoints);
    }

    @Override
    public LoadResult load(List<LoadRequest> requests, Duration deadline) {
        long start = System.nanoTime();
        refuseWhenClosed();
        Destinations.check(requests);
        List<BlockLoad> blocks = new Batch(router, config, counters, requests, start + nanos(deadline)).run();
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

    /**
     * How many leading blocks of a chain are stored. One round trip where one node knows them all; else each node goes on
     * where the one before it stopped.
     *
     * @param deadline from now; what is known by then is the answer
     * @throws IllegalStateException where the loader is closed
     */
    public MatchResult match(List<BlockId> ids, Duration deadline) {
        long deadlineAt = System.nanoTime() + nanos(deadline);
        refuseWhenClosed();
        counters.matches.increment();
        int from = 0;
        long bytes = 0;
        int losses = 0;
        boolean silent = false;
        BitSet asked = new BitSet();
        while (from < ids.size() && deadlineAt - System.nanoTime() > 0) {
            Endpoint endpoint = router.choose(Slot.of(ids.get(from)), asked);
            if (endpoint == null) {
                break;
            }
            List<BlockId> part = ids.subList(from, Math.min(ids.size(), from + MATCH_IDS));
            Outcome outcome = ask(endpoint, part, deadlineAt);
            boolean all = false;
            if (outcome instanceof Outcome.Numbers(long length, long sum) && length <= part.size()) {
                all = length == part.size();
                if (length > 0) {
                    router.answered(Slot.of(ids.get(from)), endpoint);
                    from += (int) length;
                    bytes += sum;
                    asked.clear();
                    silent = false;
                }
            } else {
                silent = true;
            }
            if (!all && !(outcome instanceof Outcome.Lost && ++losses <= MATCH_LOSSES)) {
                asked.set(endpoint.index());
            }
        }
        boolean certain = from == ids.size() || (!silent && asked.cardinality() == router.count());
        return new MatchResult(from, bytes, certain);
    }

    private Outcome ask(Endpoint endpoint, List<BlockId> ids, long deadlineAt) {
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        AtomicBoolean abandoned = new AtomicBoolean();
        Exchange exchange = NumberExchange.match(ids, abandoned::get, (ended, outcome) -> answer.complete(outcome));
        if (!endpoint.offer(exchange)) {
            return new Outcome.Unsure("the queue of store node %s is full".formatted(endpoint.name()));
        }
        try {
            return answer.get(deadlineAt - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            // Falls through: the deadline is the caller's business.
        } catch (ExecutionException e) {
            throw new IllegalStateException("an exchange never fails", e);
        }
        abandoned.set(true);
        router.abandonmentHappened();
        return new Outcome.Unsure("no answer within the deadline");
    }

    /** The counters as they stand. */
    public LoaderStats stats() {
        return counters.snapshot();
    }

    @Override
    public void close() {
        closed = true;
        endpoints.forEach(Endpoint::close);
    }

    private void refuseWhenClosed() {
        if (closed) {
            throw new IllegalStateException("the block loader is closed");
        }
    }

    /** At most a century: sums with the clock do not overflow. */
    private static long nanos(Duration duration) {
        return Math.clamp(TimeUnit.NANOSECONDS.convert(duration), 0, TimeUnit.DAYS.toNanos(36_500));
    }
}
