package io.kvern.bench.breakeven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kvern.bench.report.BreakEvenTable;
import java.util.List;
import org.junit.jupiter.api.Test;

class BreakEvenTest {
    /** 1 ms to load a token at 1 GB/s. */
    private static final ModelShape MODEL = new ModelShape("m", 1_000_000, List.of(500.0, 250.0));

    private static BreakEvenTable table(double gigabytesPerSecond, double firstByteMillis, double speed) {
        return BreakEven.tables("wire", gigabytesPerSecond, firstByteMillis, List.of(MODEL), List.of(speed))
                .getFirst();
    }

    @Test
    void timesAreThoseComputedByHand() {
        BreakEvenTable table = table(1, 10, 500);

        assertThat(table.lines()).hasSize(10);
        BreakEvenTable.Line first = table.lines().getFirst();
        assertThat(first.tokens()).isEqualTo(256);
        assertThat(first.computeMillis()).isCloseTo(512, within(1e-9));
        assertThat(first.loadMillis()).isCloseTo(266, within(1e-9));
        assertThat(first.savedMillis()).isCloseTo(246, within(1e-9));
        assertThat(table.lines().getLast().tokens()).isEqualTo(131_072);
        assertThat(table.lines().getLast().savedMillis()).isCloseTo(131_062, within(1e-6));
    }

    @Test
    void theShortestPrefixIsTheFirstThatIsStrictlyFaster() {
        // A token gains 2 - 1 = 1 ms, so 10 tokens are even and 11 win.
        assertThat(table(1, 10, 500).breakEvenTokens()).isEqualTo(11);
        assertThat(table(1, 10.5, 500).breakEvenTokens()).isEqualTo(11);
        assertThat(table(1, 9.5, 500).breakEvenTokens()).isEqualTo(10);
    }

    @Test
    void aLoadThatCostsAsMuchPerTokenAsItsComputingNeverWins() {
        assertThat(table(1, 10, 1000).breakEvenTokens()).isEqualTo(-1);
        assertThat(table(1, 0, 1000).breakEvenTokens()).isEqualTo(-1);
        assertThat(table(1, 10, 2000).breakEvenTokens()).isEqualTo(-1);
    }

    @Test
    void aLoadWithoutADelayWinsFromTheFirstToken() {
        assertThat(table(1, 0, 500).breakEvenTokens()).isEqualTo(1);
    }

    @Test
    void theModelsOwnSpeedsStandWhereNoneIsGiven() {
        assertThat(BreakEven.tables("wire", 1, 0, List.of(MODEL), List.of()))
                .extracting(BreakEvenTable::prefillTokensPerSecond)
                .containsExactly(500.0, 250.0);
    }

    @Test
    void numbersThatMeanNothingAreRefused() {
        assertThatThrownBy(() -> table(0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table(Double.NaN, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table(1, -1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> table(1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
