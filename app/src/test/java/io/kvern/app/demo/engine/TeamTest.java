package io.kvern.app.demo.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TeamTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void everyPartRunsOncePerJob(int size) {
        AtomicIntegerArray runs = new AtomicIntegerArray(size);
        try (Team team = new Team("test", size)) {
            for (int job = 1; job <= 2_000; job++) {
                team.run(runs::incrementAndGet);
                for (int part = 0; part < size; part++) {
                    assertThat(runs.get(part)).isEqualTo(job);
                }
            }
        }
    }

    @Test
    void aFailedPartFailsTheJobAndNotTheNext() {
        try (Team team = new Team("test", 2)) {
            assertThatThrownBy(() -> team.run(part -> {
                        if (part == 1) {
                            throw new IllegalArgumentException("part 1");
                        }
                    }))
                    .hasRootCauseMessage("part 1");
            assertThatThrownBy(() -> team.run(part -> {
                        if (part == 0) {
                            throw new IllegalArgumentException("part 0");
                        }
                    }))
                    .hasMessage("part 0");

            AtomicIntegerArray runs = new AtomicIntegerArray(2);
            team.run(runs::incrementAndGet);
            assertThat(runs.get(0) + runs.get(1)).isEqualTo(2);
        }
    }

    @Test
    void aClosedTeamSaysSo() {
        Team team = new Team("test", 2);
        team.close();

        assertThatThrownBy(() -> team.run(_ -> {})).hasMessageContaining("closed");
    }
}
