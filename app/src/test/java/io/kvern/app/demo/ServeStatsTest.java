package io.kvern.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvern.app.demo.engine.RequestStats;
import org.junit.jupiter.api.Test;

class ServeStatsTest {
    @Test
    void addsUpTokensTimesAndBytes() {
        ServeStats stats = new ServeStats();
        stats.add(new RequestStats(100, 20, 60, 5, 6_000, 30_000_000, 10_000_000, 70_000_000));
        ServeStats other = new ServeStats();
        other.add(new RequestStats(100, 0, 0, 5, 0, 80_000_000, 0, 120_000_000));
        stats.add(other);

        assertThat(stats.requests()).isEqualTo(2);
        assertThat(stats.promptTokens()).isEqualTo(200);
        assertThat(stats.prefilledTokens()).isEqualTo(120);
        assertThat(stats.reusedShare()).isEqualTo(0.4);
        assertThat(stats.loadedTokensPerSecond()).isEqualTo(6_000);
        assertThat(stats.loadedBytesPerSecond()).isEqualTo(600_000);
        assertThat(stats.prefilledTokensPerSecond()).isEqualTo(1_200);
        assertThat(stats.decodedTokensPerSecond()).isEqualTo(100);
        assertThat(stats.firstTokenNanos(50)).isCloseTo(30_000_000, within(30_000L));
        assertThat(stats.firstTokenNanos(99)).isCloseTo(80_000_000, within(80_000L));
    }

    @Test
    void nothingServedIsNothingAndNotNotANumber() {
        ServeStats stats = new ServeStats();

        assertThat(stats.reusedShare()).isZero();
        assertThat(stats.loadedTokensPerSecond()).isZero();
        assertThat(stats.decodedTokensPerSecond()).isZero();
        assertThat(stats.firstTokenNanos(99)).isZero();
    }
}
