package io.kvern.app.demo;

import io.kvern.app.demo.engine.BlockTier;
import io.kvern.app.demo.engine.Completion;
import io.kvern.app.demo.engine.Engine;
import io.kvern.app.demo.engine.EngineSettings;
import io.kvern.app.demo.engine.OffHeapMemory;
import io.kvern.app.demo.engine.ReferenceModel;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers prompts again from scratch, with nothing cached and nothing to load, and compares with what was answered: every
 * token, and the bits of every logit.
 */
final class Verifier implements AutoCloseable {
    private final Engine engine;
    private final ServeStats cold = new ServeStats();
    private final List<String> mismatches = new ArrayList<>();
    private int checked;

    /** Takes off-heap memory for one sequence of full length. */
    Verifier(ReferenceModel model, EngineSettings settings) {
        int slots = model.shape().blocksFor(model.shape().maxContext());
        this.engine =
                new Engine(model, new OffHeapMemory(slots, model.shape().blockBytes()), BlockTier.none(), settings);
    }

    /** Checks one answer. */
    void check(String name, int[] prompt, Completion served) throws InterruptedException {
        Completion recomputed = engine.answer(prompt, served.tokens().length);
        engine.drop();
        checked++;
        if (served.stats().loadedTokens() > 0) {
            cold.add(recomputed.stats());
        }
        served.differenceFrom(recomputed)
                .ifPresent(difference -> mismatches.add("%s, prompt of %d tokens, %d of them loaded: %s"
                        .formatted(name, prompt.length, served.stats().loadedTokens(), difference)));
    }

    /** What the recomputation cost, for those prompts of which a part had been loaded. */
    ServeStats cold() {
        return cold;
    }

    int checked() {
        return checked;
    }

    List<String> mismatches() {
        return List.copyOf(mismatches);
    }

    @Override
    public void close() {
        engine.close();
    }
}
