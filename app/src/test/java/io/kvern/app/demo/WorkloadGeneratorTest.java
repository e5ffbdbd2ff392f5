package io.kvern.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.app.demo.WorkloadGenerator.Turn;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkloadGeneratorTest {
    private static final WorkloadGenerator.Settings SETTINGS = new WorkloadGenerator.Settings(4, 30, 6, 5, 9, 2);

    @Test
    void theSameSeedSaysTheSameInTheSameOrder() {
        WorkloadGenerator one = new WorkloadGenerator(SETTINGS, 500, 7);
        WorkloadGenerator two = new WorkloadGenerator(SETTINGS, 500, 7);
        WorkloadGenerator other = new WorkloadGenerator(SETTINGS, 500, 8);

        for (int round = 0; round < 3; round++) {
            List<Turn> turns = one.nextRound();
            List<Turn> same = two.nextRound();
            assertThat(same)
                    .extracting(Turn::user)
                    .isEqualTo(turns.stream().map(Turn::user).toList());
            assertThat(same.stream().map(turn -> Arrays.toString(turn.prompt())))
                    .containsExactlyElementsOf(turns.stream()
                            .map(turn -> Arrays.toString(turn.prompt()))
                            .toList());
            assertThat(other.nextRound().getFirst().prompt())
                    .isNotEqualTo(turns.getFirst().prompt());
        }
    }

    @Test
    void aKnownBeginningStaysKnown() {
        // java.util.Random and Collections.shuffle are specified: a change here is a change of the workload.
        List<Turn> round = new WorkloadGenerator(SETTINGS, 500, 7).nextRound();

        assertThat(round).extracting(Turn::user).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(Arrays.copyOf(round.getFirst().prompt(), 4)).containsExactly(236, 164, 485, 44);
    }

    @Test
    void promptsShareTheSystemPromptAndGrowByAnswerAndMessage() {
        WorkloadGenerator workload = new WorkloadGenerator(SETTINGS, 500, 1);
        List<Turn> first = workload.nextRound();
        int[] system = Arrays.copyOf(first.getFirst().prompt(), 30);

        first.forEach(turn -> workload.answered(turn, new int[] {turn.user(), 499}));
        List<Turn> second = workload.nextRound();

        for (Turn turn : first) {
            assertThat(turn.prompt()).startsWith(system).hasSizeBetween(41, 45);
            Turn next = second.stream()
                    .filter(later -> later.user() == turn.user())
                    .findAny()
                    .orElseThrow();
            assertThat(next.prompt()).startsWith(turn.prompt());
            assertThat(Arrays.copyOfRange(next.prompt(), turn.prompt().length, turn.prompt().length + 2))
                    .containsExactly(turn.user(), 499);
            assertThat(next.prompt().length).isLessThanOrEqualTo(SETTINGS.longestConversation(2));
            assertThat(Arrays.stream(next.prompt())).allMatch(token -> token >= 0 && token < 500);
        }
    }

    @Test
    void impossibleSettingsAreRefused() {
        assertThatThrownBy(() -> new WorkloadGenerator.Settings(1, 1, 0, 9, 5, 1))
                .hasMessageContaining("9 to 5");
    }
}
