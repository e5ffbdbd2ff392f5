package io.kvern.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.app.demo.engine.TinyModel;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoScenarioTest {
    private static final WorkloadGenerator.Settings WORKLOAD = new WorkloadGenerator.Settings(5, 19, 8, 6, 12, 4);
    private static final DemoPlan PLAN =
            new DemoPlan(TinyModel.SHAPE, TinyModel.SEED, TinyModel.SETTINGS, 32, WORKLOAD, 4);

    private final MemoryBackend backend = new MemoryBackend();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @Test
    void coldWorkersLoadPrefixesAndAnswerBitForBit() throws InterruptedException {
        DemoReport report = run();

        assertThat(report.failures()).isEmpty();
        assertThat(report.checked()).isEqualTo(10);
        assertThat(report.warm().requests()).isEqualTo(10);
        assertThat(report.cold().requests()).isEqualTo(10);
        assertThat(report.cold().promptTokens()).isEqualTo(report.warm().promptTokens());
        assertThat(report.cold().reusedShare()).isZero();
        assertThat(report.served().requests()).isEqualTo(30);
        assertThat(report.workers()).allSatisfy(worker -> {
            assertThat(worker.stats().loadedTokens()).isPositive();
            assertThat(worker.stats().cachedTokens()).isPositive();
        });
        assertThat(report.workers().get(1).stats().reusedShare()).isGreaterThan(0.7);
        assertThat(report.flush().blocks()).isPositive();
        assertThat(backend.workers).isEqualTo(3);
        assertThat(backend.open).isZero();
        assertThat(log.toString(StandardCharsets.UTF_8)).contains("worker A", "worker B", "worker C", "0 differ");
        assertThat(DemoTable.render(report)).doesNotContain("FAILED");
    }

    @Test
    void theSameSeedServesTheSameTokens() throws InterruptedException {
        DemoReport first = run();
        DemoReport second = new DemoScenario(PLAN, new MemoryBackend(), progress()).run();

        assertThat(second.served().promptTokens()).isEqualTo(first.served().promptTokens());
        assertThat(second.served().loadedTokens()).isEqualTo(first.served().loadedTokens());
    }

    @Test
    void aFlippedBitFailsTheDemo() throws InterruptedException {
        backend.onReplace = backend.tier::damageLoads;

        DemoReport report = run();

        assertThat(report.mismatches())
                .hasSize(5)
                .allSatisfy(mismatch ->
                        assertThat(mismatch).startsWith("worker C, user ").contains("answer token 0: logit"));
        assertThat(report.failures()).containsAll(report.mismatches());
        assertThat(DemoTable.render(report)).contains("FAILED: worker C");
    }

    @Test
    void aStoreThatLostEverythingFailsTheDemo() throws InterruptedException {
        backend.onReplace = backend.tier::clear;

        assertThat(run().failures())
                .containsExactly("worker C loaded nothing", "the new store node restored nothing from the log");
    }

    @Test
    void aPlanThatCannotWorkIsRefusedWithTheNumbers() {
        assertThatThrownBy(() -> new DemoPlan(TinyModel.SHAPE, TinyModel.SEED, TinyModel.SETTINGS, 20, WORKLOAD, 4))
                .hasMessageContaining("poolSlots")
                .hasMessageContaining("20");
        assertThatThrownBy(() -> new DemoPlan(TinyModel.SHAPE, TinyModel.SEED, TinyModel.SETTINGS, 99, WORKLOAD, 40))
                .hasMessageContaining("maxContext");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void poolsOfTheRealPlansAreTooSmallForTheirConversations(boolean quick) {
        DemoPlan plan = quick ? DemoPlan.quick() : DemoPlan.full();
        WorkloadGenerator.Settings workload = plan.workload();
        int least =
                workload.documentTokens() + plan.firstRounds() * (workload.leastMessage() + workload.answerTokens());

        assertThat(plan.shape().blocksFor(workload.systemTokens() + workload.users() * least))
                .isGreaterThan(plan.poolSlots());
        assertThat(plan.shape().blockBytes()).isBetween(256 << 10, 1 << 20);
    }

    private DemoReport run() throws InterruptedException {
        return new DemoScenario(PLAN, backend, progress()).run();
    }

    private Progress progress() {
        return new Progress(new PrintStream(log, true, StandardCharsets.UTF_8), false);
    }
}
