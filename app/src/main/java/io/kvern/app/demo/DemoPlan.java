package io.kvern.app.demo;

import io.kvern.app.demo.engine.EngineSettings;
import io.kvern.app.demo.engine.ModelShape;
import io.kvern.app.demo.engine.ReferenceModel;
import io.kvern.model.InvalidInputException;
import io.kvern.model.Namespace;

/**
 * How large the demo is.
 *
 * @param shape of the model
 * @param seed of weights and conversations
 * @param settings of every engine
 * @param poolSlots blocks in the KV pool of each worker
 * @param workload the conversations
 * @param firstRounds turns of each user that worker A serves; each of the two later workers serves one more
 */
public record DemoPlan(
        ModelShape shape,
        long seed,
        EngineSettings settings,
        int poolSlots,
        WorkloadGenerator.Settings workload,
        int firstRounds) {
    /** Rounds that worker B and worker C serve together. */
    static final int LATER_ROUNDS = 2;

    public DemoPlan {
        if (firstRounds < 1) {
            throw new InvalidInputException("demo plan: %d first rounds; at least 1 is needed".formatted(firstRounds));
        }
        int longest = workload.longestConversation(firstRounds + LATER_ROUNDS);
        if (longest > shape.maxContext()) {
            throw InvalidInputException.overLimit(
                    "tokens of the longest conversation", longest, shape.maxContext(), "maxContext");
        }
        if (shape.blocksFor(longest) > poolSlots) {
            throw InvalidInputException.overLimit(
                    "blocks of the longest conversation", shape.blocksFor(longest), poolSlots, "poolSlots");
        }
    }

    /** 13 million weights, 768 KiB per block of 64 tokens, under half a minute of computing on two cores. */
    public static DemoPlan full() {
        return new DemoPlan(
                model(),
                20_250_916,
                EngineSettings.defaults(),
                32,
                new WorkloadGenerator.Settings(6, 256, 448, 32, 64, 12),
                4);
    }

    /** The same model and fewer, shorter conversations: under ten seconds of computing. */
    public static DemoPlan quick() {
        return new DemoPlan(
                model(),
                20_250_916,
                EngineSettings.defaults(),
                14,
                new WorkloadGenerator.Settings(3, 128, 384, 24, 48, 6),
                2);
    }

    /** The namespace of the blocks of this demo. */
    public Namespace namespace() {
        return ReferenceModel.namespace(shape, seed);
    }

    private static ModelShape model() {
        return new ModelShape(12, 256, 4, 2, 128, 704, 4096, 64, 1536);
    }
}
