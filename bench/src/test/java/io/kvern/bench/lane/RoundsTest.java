package io.kvern.bench.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvern.bench.report.LaneRow;
import io.kvern.bench.report.Ratio;
import io.kvern.bench.site.Metered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoundsTest {
    /** Moves 1,000 bytes, always in its time. */
    private record Steady(String name, long nanos, List<String> log) implements Contender {
        @Override
        public String what() {
            return name + " moves nothing";
        }

        @Override
        public int copiesPerByte() {
            return 1;
        }

        @Override
        public List<Metered> processes() {
            return List.of();
        }

        @Override
        public Moved run(int round) {
            log.add(name + round);
            return new Moved(1000, 10, nanos);
        }
    }

    @Test
    void runsInTurnsForwardsAndBackAfterAWarmUpThatDoesNotCount() throws Exception {
        List<String> log = new ArrayList<>();
        LaneRow row = new Rounds(3, Duration.ZERO, Optional.empty())
                .measure(
                        "lane",
                        "A lane",
                        100,
                        10,
                        0.9,
                        List.of(new Steady("a", 2000, log), new Steady("b", 1000, log), new Steady("c", 500, log)));

        assertThat(log).containsExactly("a0", "b0", "c0", "a1", "b1", "c1", "c2", "b2", "a2", "a3", "b3", "c3");
        assertThat(row.ours().gigabytesPerSecond()).containsExactly(0.5, 0.5, 0.5);
        assertThat(row.limit().median()).isEqualTo(1);
        assertThat(row.peers())
                .singleElement()
                .satisfies(peer -> assertThat(peer.median()).isEqualTo(2));
        assertThat(row.ratio()).isEqualTo(new Ratio(0.5, 0.5, 0.5));
    }

    @Test
    void comparesWhatStoodBesideEachOther() {
        // The machine was half as fast in the second round; both sides felt it.
        Ratio ratio = Rounds.ratio(List.of(0.9, 0.45, 0.8), List.of(1.0, 0.5, 1.0));
        assertThat(ratio.median()).isCloseTo(0.9, within(1e-9));
        assertThat(ratio.least()).isCloseTo(0.8, within(1e-9));
        assertThat(ratio.most()).isCloseTo(0.9, within(1e-9));
    }

    @Test
    void takesTheMiddleOfTwo() {
        assertThat(Rounds.median(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(2.5);
    }
}
