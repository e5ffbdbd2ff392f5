package io.kvern.app.demo;

import io.kvern.app.demo.DemoBackend.Replay;
import io.kvern.app.demo.DemoBackend.WorkerLink;
import io.kvern.app.demo.WorkloadGenerator.Turn;
import io.kvern.app.demo.engine.Completion;
import io.kvern.app.demo.engine.Engine;
import io.kvern.app.demo.engine.ReferenceModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The story of the demo.
 *
 * <ol>
 *   <li>Worker A serves conversations that its pool is too small for; what it evicts goes out, some of it comes back. It
 *       is stopped in good order: the rest goes out, and its pool is gone.
 *   <li>Worker B starts cold and serves the next turns with prefixes loaded; then it dies, and what it had not evicted is
 *       lost.
 *   <li>The store node is replaced by a new one, which refills from the log; worker C starts cold and serves the turns after.
 * </ol>
 *
 * Every answer of B and C is computed again from scratch and compared.
 */
public final class DemoScenario {
    private final DemoPlan plan;
    private final DemoBackend backend;
    private final Progress progress;

    private final ReferenceModel model;
    private final WorkloadGenerator workload;
    private final List<DemoReport.Worker> workers = new ArrayList<>();
    private final ServeStats warm = new ServeStats();

    /** Draws the model's weights; the caller keeps the backend. */
    public DemoScenario(DemoPlan plan, DemoBackend backend, Progress progress) {
        this.plan = plan;
        this.backend = backend;
        this.progress = progress;
        this.model = ReferenceModel.of(plan.shape(), plan.seed());
        this.workload = new WorkloadGenerator(plan.workload(), plan.shape().vocabulary(), plan.seed());
    }

    /** Runs it, once. A failed check is in the report, not an exception. */
    public DemoReport run() throws InterruptedException {
        try (Verifier verifier = new Verifier(model, plan.settings())) {
            DemoReport.Transfer flush = serveAndStop();
            serveColdAndVerify("worker B", verifier);
            backend.awaitStored();
            progress.begin("store node replaced");
            Replay replay = backend.replaceStoreNode(progress);
            progress.done("%d blocks restored from the log".formatted(replay.blocks()));
            serveColdAndVerify("worker C", verifier);
            return new DemoReport(
                    plan.shape(),
                    workers,
                    warm,
                    verifier.cold(),
                    flush,
                    replay,
                    backend.counts(),
                    verifier.checked(),
                    verifier.mismatches());
        }
    }

    private DemoReport.Transfer serveAndStop() throws InterruptedException {
        String name = "worker A";
        ServeStats stats = new ServeStats();
        try (WorkerLink link = startWorker(name);
                Engine engine = newEngine(link)) {
            progress.begin(name + " serves");
            for (int round = 0; round < plan.firstRounds(); round++) {
                serveRound(engine, stats, plan.firstRounds());
            }
            finishWorker(name, false, stats);
            progress.begin(name + " stops");
            long start = System.nanoTime();
            long blocks = engine.flush();
            backend.awaitStored();
            long nanos = System.nanoTime() - start;
            progress.done("%d blocks given up, its pool is gone".formatted(blocks));
            return new DemoReport.Transfer(blocks, blocks * plan.shape().blockBytes(), nanos);
        }
    }

    private void serveColdAndVerify(String name, Verifier verifier) throws InterruptedException {
        ServeStats stats = new ServeStats();
        List<Served> round;
        try (WorkerLink link = startWorker(name);
                Engine engine = newEngine(link)) {
            progress.begin(name + " starts cold and serves");
            round = serveRound(engine, stats, 1);
            finishWorker(name, true, stats);
        }
        progress.begin("answers of " + name + " computed again from scratch");
        int before = verifier.mismatches().size();
        int checked = 0;
        for (Served served : round) {
            if (served.completion.stats().loadedTokens() > 0) {
                warm.add(served.completion.stats());
            }
            verifier.check(name + ", user " + served.turn.user(), served.turn.prompt(), served.completion);
            checked++;
            progress.update("%d of %d".formatted(checked, round.size()));
        }
        progress.done("%d compared bit for bit, %d differ"
                .formatted(round.size(), verifier.mismatches().size() - before));
    }

    private record Served(Turn turn, Completion completion) {}

    private List<Served> serveRound(Engine engine, ServeStats stats, int rounds) throws InterruptedException {
        List<Served> served = new ArrayList<>();
        for (Turn turn : workload.nextRound()) {
            Completion completion = engine.answer(turn.prompt(), plan.workload().answerTokens());
            workload.answered(turn, completion.tokens());
            stats.add(completion.stats());
            served.add(new Served(turn, completion));
            progress.update(String.format(
                    Locale.ROOT,
                    "turn %d of %d, %,d tokens computed, %,d loaded",
                    stats.requests(),
                    (long) rounds * plan.workload().users(),
                    stats.prefilledTokens(),
                    stats.loadedTokens()));
        }
        return served;
    }

    private void finishWorker(String name, boolean startedCold, ServeStats stats) {
        workers.add(new DemoReport.Worker(name, startedCold, stats));
        progress.done(String.format(
                Locale.ROOT,
                "%d turns, %,d prompt tokens, %.0f %% of them reused",
                stats.requests(),
                stats.promptTokens(),
                100 * stats.reusedShare()));
    }

    private WorkerLink startWorker(String name) {
        return backend.startWorker(name, plan.poolSlots(), plan.shape().blockBytes());
    }

    private Engine newEngine(WorkerLink link) {
        return new Engine(model, link.memory(), link.tier(), plan.settings());
    }
}
