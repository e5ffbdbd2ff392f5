package io.kvern.worker.load;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.PriorityQueue;

/**
 * One load: every decision about its blocks, made in the caller's thread; lanes only carry out and report. A block has at
 * most one exchange under way, so at most one report waits per block.
 *
 * <pre>
 * asked ─▶ right bytes ─▶ LOADED        wrong bytes ─▶ KV.VERIFY, asked once more, then CORRUPT
 *       ─▶ nil ─▶ MISS                  unsure, or connection lost ─▶ next node; all asked ─▶ pause and again, or UNSURE
 *       ─▶ error, no room ─▶ REFUSED    deadline ─▶ LATE, or UNSURE where a node had said so
 * </pre>
 */
final class Batch {
    /** Lost connections and waits for a node to come back that one block may see before it is given up. */
    private static final int MAX_LOSSES = 2;

    private final Router router;
    private final LoaderConfig config;
    private final Counters counters;
    private final List<BlockTask> tasks;
    private final long deadlineAt;

    private final Inbox inbox;
    /** Blocks that rest until their next round, the first due first. */
    private final PriorityQueue<BlockTask> resting =
            new PriorityQueue<>((one, other) -> Long.signum(one.dueAt - other.dueAt));

    /** @param deadlineAt in {@link System#nanoTime()} */
    Batch(Router router, LoaderConfig config, Counters counters, List<LoadRequest> requests, long deadlineAt) {
        this.router = router;
        this.config = config;
        this.counters = counters;
        this.deadlineAt = deadlineAt;
        this.inbox = new Inbox(requests.size());
        this.tasks = new ArrayList<>(requests.size());
        for (LoadRequest request : requests) {
            tasks.add(new BlockTask(this, request));
        }
    }

    /** Runs until every block has ended or the deadline has passed. After it, no destination is touched any more. */
    List<BlockLoad> run() {
        boolean interrupted = false;
        try {
            if (deadlineAt - System.nanoTime() > 0) {
                tasks.forEach(this::ask);
                while (inbox.await(deadlineAt, nextDue())) {
                    proceed();
                }
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            // Before anything else: from here on the memory is the caller's alone.
            tasks.forEach(task -> task.room.shut());
        }
        List<BlockLoad> results = conclude(interrupted);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return results;
    }

    /** A lane's word, in the lane's thread. */
    void report(BlockTask task, Outcome outcome) {
        boolean last = switch (outcome) {
            case Outcome.Loaded _, Outcome.TooLong _ -> true;
            case Outcome.Missing _, Outcome.Refused _ -> !task.verifying;
            default -> false;
        };
        inbox.report(task, outcome, last);
    }

    private long nextDue() {
        BlockTask next = resting.peek();
        return next == null ? deadlineAt : next.dueAt;
    }

    private void proceed() {
        for (Inbox.Report report = inbox.poll(); report != null; report = inbox.poll()) {
            decide(report.task(), report.outcome());
        }
        long now = System.nanoTime();
        for (BlockTask task = resting.peek(); task != null && task.dueAt - now <= 0; task = resting.peek()) {
            resting.remove();
            task.asked.clear();
            ask(task);
        }
    }

    private void decide(BlockTask task, Outcome outcome) {
        Endpoint endpoint = task.endpoint;
        if (task.result != null || endpoint == null) {
            return;
        }
        if (task.verifying) {
            // Whatever the store made of it, the block is read once more: it may have another copy, or none.
            task.verifying = false;
            if (outcome instanceof Outcome.Lost(String reason)) {
                lost(task, endpoint, reason);
            } else {
                read(task, endpoint);
            }
            return;
        }
        if (ended(task, endpoint, outcome)) {
            return;
        }
        switch (outcome) {
            case Outcome.WrongCrc(long expected, long found) -> wrong(task, endpoint, expected, found);
            case Outcome.Unsure(String text) -> {
                router.wasUnsure(task.slot, endpoint);
                task.unsure = "store node %s: %s".formatted(endpoint.name(), text);
                task.asked.set(endpoint.index());
                ask(task);
            }
            case Outcome.Lost(String reason) -> lost(task, endpoint, reason);
            default -> throw new IllegalStateException("a block was answered by " + outcome);
        }
    }

    /** Notes the end of a block where {@code outcome} is one. */
    private boolean ended(BlockTask task, Endpoint endpoint, Outcome outcome) {
        switch (outcome) {
            case Outcome.Loaded(int length) -> {
                router.answered(task.slot, endpoint);
                end(task, LoadStatus.LOADED, length, "");
            }
            case Outcome.Missing _ -> {
                router.answered(task.slot, endpoint);
                end(
                        task,
                        LoadStatus.MISS,
                        0,
                        task.wrongCrcs == 0 ? "" : "the copy that was stored was damaged, and is gone");
            }
            case Outcome.TooLong tooLong ->
                end(
                        task,
                        LoadStatus.REFUSED,
                        0,
                        "the block has %d bytes; its destination has room for %d"
                                .formatted(tooLong.length(), tooLong.room()));
            case Outcome.Refused(String text) -> end(task, LoadStatus.REFUSED, 0, text);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void wrong(BlockTask task, Endpoint endpoint, long expected, long found) {
        counters.wrongCrcs.increment();
        router.answered(task.slot, endpoint);
        if (++task.wrongCrcs > 1) {
            settle(
                    task,
                    LoadStatus.CORRUPT,
                    "store node %s sent bytes with CRC32C %08x and said %08x, twice"
                            .formatted(endpoint.name(), found, expected));
            return;
        }
        task.verifying = true;
        offer(task, endpoint, NumberExchange.verify(task.request.id(), task.room::isShut, task));
    }

    private void lost(BlockTask task, Endpoint endpoint, String reason) {
        task.losses++;
        task.loss = reason;
        task.asked.set(endpoint.index());
        ask(task);
    }

    /** Asks the next node; where there is none, rests until another round may be worth it, or gives up. */
    private void ask(BlockTask task) {
        Endpoint next = router.choose(task.slot, task.asked);
        if (next == null && mayRepeat(task)) {
            task.asked.clear();
            next = router.choose(task.slot, task.asked);
        }
        if (next != null) {
            read(task, next);
            return;
        }
        OptionalLong dueAt = nextRound(task);
        if (dueAt.isPresent() && deadlineAt - dueAt.getAsLong() > 0) {
            task.dueAt = dueAt.getAsLong();
            resting.add(task);
        } else {
            settle(task, LoadStatus.UNSURE, whyUnsure(task));
        }
    }

    /** Whether a block that lost a connection goes to nodes again that it has asked: a fresh connection may do. */
    private static boolean mayRepeat(BlockTask task) {
        return task.unsure.isEmpty() && task.losses > 0 && task.losses <= MAX_LOSSES;
    }

    /** When to ask around again; empty for never. Waiting for a node that is left alone counts as one more loss. */
    private OptionalLong nextRound(BlockTask task) {
        if (!task.unsure.isEmpty()) {
            return OptionalLong.of(System.nanoTime() + config.retryPause().toNanos());
        }
        return mayRepeat(task) && task.losses++ < MAX_LOSSES ? router.upAgainAt() : OptionalLong.empty();
    }

    private String whyUnsure(BlockTask task) {
        if (!task.unsure.isEmpty()) {
            return task.unsure;
        }
        return task.loss.isEmpty() ? router.whyDown() : task.loss;
    }

    private void read(BlockTask task, Endpoint endpoint) {
        offer(task, endpoint, new ReadExchange(task.request.id(), task.room, task));
    }

    private void offer(BlockTask task, Endpoint endpoint, Exchange exchange) {
        task.endpoint = endpoint;
        if (!endpoint.offer(exchange)) {
            settle(
                    task,
                    LoadStatus.REFUSED,
                    "%d blocks wait for store node %s already, which is the limit (maxQueuedBlocks)"
                            .formatted(config.maxQueuedBlocks(), endpoint.name()));
        }
    }

    /** Ends a block by a decision of this thread, which no lane has counted. */
    private void settle(BlockTask task, LoadStatus status, String detail) {
        end(task, status, 0, detail);
        inbox.settle();
    }

    private void end(BlockTask task, LoadStatus status, int length, String detail) {
        task.result = new BlockLoad(task.request.id(), status, length, detail);
    }

    private List<BlockLoad> conclude(boolean interrupted) {
        // What arrived in time counts, though nobody has read the report yet.
        for (Inbox.Report report = inbox.poll(); report != null; report = inbox.poll()) {
            BlockTask task = report.task();
            if (task.result == null && task.endpoint != null && !task.verifying) {
                ended(task, task.endpoint, report.outcome());
            }
        }
        List<BlockLoad> results = new ArrayList<>(tasks.size());
        boolean abandoned = false;
        for (BlockTask task : tasks) {
            if (task.result == null) {
                abandoned = true;
                if (interrupted) {
                    end(task, LoadStatus.UNSURE, 0, "the load was interrupted");
                } else if (!task.unsure.isEmpty()) {
                    end(task, LoadStatus.UNSURE, 0, task.unsure);
                } else {
                    end(
                            task,
                            LoadStatus.LATE,
                            0,
                            task.wrongCrcs > 0 ? "the bytes that came first had a wrong CRC32C" : task.loss);
                }
            }
            BlockLoad result = task.result;
            if (result != null) {
                results.add(result);
            }
        }
        if (abandoned) {
            router.abandonmentHappened();
        }
        return results;
    }
}
