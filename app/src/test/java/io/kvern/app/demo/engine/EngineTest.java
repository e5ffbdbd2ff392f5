package io.kvern.app.demo.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.BlockId;
import io.kvern.model.InvalidInputException;
import io.kvern.model.KvernException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineTest {
    private static final ModelShape SHAPE = TinyModel.SHAPE;
    private static final int ANSWER = 6;

    private final ReferenceModel model = TinyModel.model();
    private final MemoryTier tier = new MemoryTier();

    @Test
    void aLoadedPrefixGivesTheBitsOfAFullRecompute() throws InterruptedException {
        int[] prompt = TinyModel.prompt(1, 50);
        int[] longer = concat(prompt, TinyModel.prompt(2, 9));
        try (Engine first = engine(32)) {
            first.answer(prompt, ANSWER);
            assertThat(first.flush()).isEqualTo(13); // 50 + 5 computed tokens
        }

        try (Engine second = engine(32)) {
            Completion loaded = second.answer(longer, ANSWER);

            assertThat(loaded.stats().cachedTokens()).isZero();
            assertThat(loaded.stats().loadedTokens()).isEqualTo(48);
            assertThat(loaded.stats().prefilledTokens()).isEqualTo(59 - 48);
            assertThat(loaded.stats().loadedBytes()).isEqualTo(12L * SHAPE.blockBytes());
            assertThat(loaded.stats().loadNanos()).isPositive();
            assertThat(loaded.stats().firstTokenNanos())
                    .isBetween(loaded.stats().loadNanos(), loaded.stats().totalNanos());
            assertThat(loaded.differenceFrom(fromScratch(longer, TinyModel.SETTINGS)))
                    .isEmpty();
        }
    }

    @Test
    void oneWrongBitInALoadedBlockShows() throws InterruptedException {
        int[] prompt = TinyModel.prompt(1, 50);
        try (Engine first = engine(32)) {
            first.answer(prompt, ANSWER);
            first.flush();
        }
        tier.damageLoads();

        try (Engine second = engine(32)) {
            Completion loaded = second.answer(prompt, ANSWER);

            assertThat(loaded.stats().loadedTokens()).isEqualTo(48);
            assertThat(loaded.differenceFrom(fromScratch(prompt, TinyModel.SETTINGS)))
                    .hasValueSatisfying(difference -> assertThat(difference).contains("answer token 0: logit"));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "3, 2", "5, 3", "64, 1", "64, 2", "64, 5"})
    void chunksAndThreadsDoNotChangeABit(int chunkTokens, int threads) throws InterruptedException {
        int[] prompt = TinyModel.prompt(7, 61);
        EngineSettings settings = new EngineSettings(chunkTokens, threads, Duration.ofSeconds(5));

        assertThat(fromScratch(prompt, settings).differenceFrom(fromScratch(prompt, TinyModel.SETTINGS)))
                .isEmpty();
    }

    @Test
    void decodingLeavesTheBlocksThatAPrefillWouldLeave() throws InterruptedException {
        int[] prompt = TinyModel.prompt(8, 10);
        MemoryTier prefilled = new MemoryTier();
        try (Engine decoding = engine(32);
                Engine prefilling = new Engine(model, TinyModel.memory(32), prefilled, TinyModel.SETTINGS)) {
            int[] answer = decoding.answer(prompt, 20).tokens();
            decoding.flush();
            prefilling.answer(concat(prompt, answer), 1);
            prefilling.flush();
        }

        ByteBuffer decodedBytes = ByteBuffer.allocate(SHAPE.blockBytes());
        ByteBuffer prefilledBytes = ByteBuffer.allocate(SHAPE.blockBytes());
        assertThat(tier.size()).isEqualTo(7); // 29 computed tokens
        for (BlockId id : tier.arrivals()) {
            tier.load(List.of(id), List.of(decodedBytes));
            assertThat(prefilled.load(List.of(id), List.of(prefilledBytes))).isEqualTo(1);
            assertThat(decodedBytes).isEqualTo(prefilledBytes);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aTinyPoolPagesThroughTheTierAndAnswersTheSame(long seed) throws InterruptedException {
        Random random = new Random(seed);
        List<int[]> conversations = new ArrayList<>();
        for (int user = 0; user < 5; user++) {
            conversations.add(TinyModel.prompt(99, 13)); // the same beginning for all
        }
        OffHeapMemory memory = TinyModel.memory(24);
        int cached = 0;
        int loaded = 0;
        try (Engine engine = new Engine(model, memory, tier, TinyModel.SETTINGS)) {
            for (int turn = 0; turn < 24; turn++) {
                int user = random.nextInt(conversations.size());
                int[] prompt =
                        concat(conversations.get(user), TinyModel.prompt(random.nextLong(), 1 + random.nextInt(8)));
                Completion completion = engine.answer(prompt, 1 + random.nextInt(4));
                conversations.set(user, concat(prompt, completion.tokens()));

                Engine scratch = new Engine(model, TinyModel.memory(40), BlockTier.none(), TinyModel.SETTINGS);
                assertThat(completion.differenceFrom(scratch.answer(prompt, completion.tokens().length)))
                        .as("seed %d, turn %d", seed, turn)
                        .isEmpty();
                scratch.close();
                cached += completion.stats().cachedTokens();
                loaded += completion.stats().loadedTokens();
                assertThat(engine.cachedBlocks() + memory.available()).isEqualTo(24);
            }
        }
        assertThat(cached).isPositive();
        assertThat(loaded).isPositive();
        assertThat(memory.available()).isEqualTo(24);
    }

    @Test
    void evictsOnlyWhenSlotsAreNeededAndTheLastOfTheOldestPromptFirst() throws InterruptedException {
        int[] old = TinyModel.prompt(1, 20);
        int[] recent = TinyModel.prompt(2, 20);
        int[] next = TinyModel.prompt(3, 12);
        try (Engine engine = engine(12)) {
            engine.answer(old, 1);
            engine.answer(recent, 1);
            assertThat(tier.arrivals()).isEmpty();

            engine.answer(next, 1); // 3 blocks; 2 of 12 slots are free

            List<BlockId> chain = PrefixHash.chain(old, 20, 4);
            assertThat(tier.arrivals()).containsExactly(chain.get(4));
            assertThat(tier.parent(chain.get(4))).isEqualTo(chain.get(3));
            assertThat(engine.answer(old, 1).stats().cachedTokens()).isEqualTo(16);
        }
    }

    @Test
    void whatCameFromTheTierDoesNotGoThereAgain() throws InterruptedException {
        int[] prompt = TinyModel.prompt(1, 20);
        try (Engine engine = engine(12)) {
            engine.answer(prompt, 1);
            assertThat(engine.flush()).isEqualTo(5);
            engine.answer(prompt, 1); // loads 4, computes the last
            assertThat(tier.loaded()).isEqualTo(4);

            assertThat(engine.flush()).isEqualTo(1);
            assertThat(engine.evictedBlocks()).isEqualTo(6);
            assertThat(engine.cachedBlocks()).isZero();
        }
    }

    @Test
    void aHoleInTheTierEndsThePrefix() throws InterruptedException {
        int[] prompt = TinyModel.prompt(1, 30);
        try (Engine engine = engine(12)) {
            Completion before = engine.answer(prompt, ANSWER);
            engine.flush();
            tier.remove(PrefixHash.chain(prompt, 30, 4).get(3));

            Completion after = engine.answer(prompt, ANSWER);

            assertThat(after.stats().loadedTokens()).isEqualTo(12);
            assertThat(after.differenceFrom(before)).isEmpty();
        }
    }

    @Test
    void aDroppedPoolHandsOverNothing() throws InterruptedException {
        OffHeapMemory memory = TinyModel.memory(12);
        try (Engine engine = new Engine(model, memory, tier, TinyModel.SETTINGS)) {
            engine.answer(TinyModel.prompt(1, 30), 1);
        }

        assertThat(tier.size()).isZero();
        assertThat(memory.available()).isEqualTo(12);
    }

    @Test
    void whatCannotBeServedIsRefusedWithTheNumbers() throws InterruptedException {
        try (Engine engine = engine(4)) {
            assertThatThrownBy(() -> engine.answer(new int[0], 1)).isInstanceOf(InvalidInputException.class);
            assertThatThrownBy(() -> engine.answer(new int[] {1}, 0)).isInstanceOf(InvalidInputException.class);
            assertThatThrownBy(() -> engine.answer(new int[] {101}, 1)).hasMessageContaining("101");
            assertThatThrownBy(() -> engine.answer(new int[] {-1}, 1)).hasMessageContaining("-1");
            assertThatThrownBy(() -> engine.answer(TinyModel.prompt(1, 250), 7)).hasMessageContaining("257");
            assertThatThrownBy(() -> engine.answer(TinyModel.prompt(1, 17), 1))
                    .hasMessageContaining("5")
                    .hasMessageContaining("slots of the KV pool");
            assertThat(engine.answer(TinyModel.prompt(1, 16), 1).tokens()).hasSize(1);
        }
        assertThatThrownBy(
                        () -> new Engine(model, new OffHeapMemory(4, SHAPE.blockBytes() - 1), tier, TinyModel.SETTINGS))
                .hasMessageContaining("%d bytes".formatted(SHAPE.blockBytes() - 1));
    }

    @Test
    void aTierThatKeepsTheSlotsMeansAnErrorAndNotALoss() throws InterruptedException {
        List<EvictedBlock> kept = new ArrayList<>();
        BlockTier slow = new BlockTier() {
            @Override
            public void evicted(EvictedBlock block) {
                kept.add(block);
            }

            @Override
            public int load(List<BlockId> ids, List<ByteBuffer> destinations) {
                return 0;
            }
        };
        EngineSettings settings = new EngineSettings(16, 2, Duration.ofMillis(20));
        OffHeapMemory memory = TinyModel.memory(5);
        try (Engine engine = new Engine(model, memory, slow, settings)) {
            engine.answer(TinyModel.prompt(1, 20), 1);
            assertThatThrownBy(() -> engine.answer(TinyModel.prompt(2, 20), 1))
                    .isInstanceOf(KvernException.class)
                    .hasMessageContaining("5 of 5 are on their way out");

            kept.forEach(block -> block.slot().release());
            assertThat(engine.answer(TinyModel.prompt(2, 20), 1).stats().prefilledTokens())
                    .isEqualTo(20);
        }
        assertThat(memory.available()).isEqualTo(5);
    }

    @Test
    void aTierThatThrowsLosesNoSlot() throws InterruptedException {
        BlockTier broken = new BlockTier() {
            @Override
            public void evicted(EvictedBlock block) {
                block.slot().release();
            }

            @Override
            public int load(List<BlockId> ids, List<ByteBuffer> destinations) {
                throw new IllegalStateException("broken");
            }
        };
        OffHeapMemory memory = TinyModel.memory(6);
        try (Engine engine = new Engine(model, memory, broken, TinyModel.SETTINGS)) {
            assertThatThrownBy(() -> engine.answer(TinyModel.prompt(1, 20), 1)).hasMessage("broken");
            assertThat(memory.available()).isEqualTo(6);
            assertThat(engine.answer(TinyModel.prompt(1, 4), 1).tokens()).hasSize(1);
        }
    }

    @Test
    void otherWeightsOrShapesAreOtherNamespaces() {
        assertThat(ReferenceModel.namespace(SHAPE, 1).fingerprint())
                .isNotEqualTo(ReferenceModel.namespace(SHAPE, 2).fingerprint());
        ModelShape other = new ModelShape(3, 32, 4, 2, 16, 56, 101, 4, 256);
        assertThat(ReferenceModel.namespace(SHAPE, 1).fingerprint())
                .isNotEqualTo(ReferenceModel.namespace(other, 1).fingerprint());
    }

    private Engine engine(int slots) {
        return new Engine(model, TinyModel.memory(slots), tier, TinyModel.SETTINGS);
    }

    private Completion fromScratch(int[] prompt, EngineSettings settings) throws InterruptedException {
        try (Engine engine = new Engine(model, TinyModel.memory(32), BlockTier.none(), settings)) {
            return engine.answer(prompt, ANSWER);
        }
    }

    private static int[] concat(int[] first, int[] second) {
        int[] both = new int[first.length + second.length];
        System.arraycopy(first, 0, both, 0, first.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
