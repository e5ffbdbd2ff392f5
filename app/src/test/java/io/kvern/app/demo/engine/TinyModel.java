package io.kvern.app.demo.engine;

import java.time.Duration;
import java.util.Random;

/** A model that answers in well under a millisecond. */
public final class TinyModel {
    public static final ModelShape SHAPE = new ModelShape(3, 32, 4, 2, 16, 48, 101, 4, 256);
    public static final long SEED = 11;
    public static final EngineSettings SETTINGS = new EngineSettings(16, 2, Duration.ofSeconds(5));

    private TinyModel() {}

    static ReferenceModel model() {
        return ReferenceModel.of(SHAPE, SEED);
    }

    static OffHeapMemory memory(int slots) {
        return new OffHeapMemory(slots, SHAPE.blockBytes());
    }

    static int[] prompt(long seed, int tokens) {
        return new Random(seed).ints(tokens, 0, SHAPE.vocabulary()).toArray();
    }
}
