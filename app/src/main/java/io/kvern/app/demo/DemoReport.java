package io.kvern.app.demo;

import io.kvern.app.demo.engine.ModelShape;
import java.util.ArrayList;
import java.util.List;

/**
 * All that the demo has to show.
 *
 * @param shape of the model
 * @param workers what each worker served, in order
 * @param warm the requests of workers that started cold and loaded a part of the prompt
 * @param cold the same prompts, computed from scratch
 * @param flush the blocks that worker A gave up at its end, until they could be loaded
 * @param replay the new store node
 * @param counts of the backend, at the end
 * @param checked answers that were recomputed from scratch
 * @param mismatches how recomputed answers differ, in words; empty is what everyone wants
 */
public record DemoReport(
        ModelShape shape,
        List<Worker> workers,
        ServeStats warm,
        ServeStats cold,
        Transfer flush,
        DemoBackend.Replay replay,
        DemoBackend.Counts counts,
        int checked,
        List<String> mismatches) {
    /**
     * One worker.
     *
     * @param name in words
     * @param startedCold whether it had to load whatever it was to reuse first
     * @param stats of its requests
     */
    public record Worker(String name, boolean startedCold, ServeStats stats) {}

    /** Blocks that moved together. */
    public record Transfer(long blocks, long bytes, long nanos) {}

    public DemoReport {
        workers = List.copyOf(workers);
        mismatches = List.copyOf(mismatches);
    }

    /** All requests of all workers. */
    public ServeStats served() {
        ServeStats all = new ServeStats();
        workers.forEach(worker -> all.add(worker.stats()));
        return all;
    }

    /** Why the demo has failed; empty where it has shown what it is to show. */
    public List<String> failures() {
        List<String> failures = new ArrayList<>(mismatches);
        if (counts.corruptBlocks() > 0) {
            failures.add("%d blocks were corrupt".formatted(counts.corruptBlocks()));
        }
        if (checked == 0) {
            failures.add("no answer was checked");
        }
        for (Worker worker : workers) {
            if (worker.startedCold() && worker.stats().loadedTokens() == 0) {
                failures.add("%s loaded nothing".formatted(worker.name()));
            }
        }
        if (replay.blocks() == 0) {
            failures.add("the new store node restored nothing from the log");
        }
        return failures;
    }
}
