package io.kvern.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kvern.model.InvalidInputException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceGeneratorTest {
    private static Trace trace(long seed) {
        return new TraceGenerator(new TraceGenerator.Settings(40, 5, 2100, 900, 400, 500, seed));
    }

    @Test
    void theSameSeedIsTheSameTraceAndAnotherIsNot() {
        assertThat(trace(1).requests()).hasSize(200).isEqualTo(trace(1).requests());
        assertThat(trace(2).requests()).isNotEqualTo(trace(1).requests());
    }

    @Test
    void anEqualIdMeansAnEqualPrefix() {
        Map<Long, List<Long>> prefixes = new HashMap<>();
        long before = 0;
        for (TraceRequest request : trace(3).requests()) {
            assertThat(request.timestampMillis()).isGreaterThanOrEqualTo(before);
            before = request.timestampMillis();
            List<Long> ids = request.hashIds();
            assertThat(ids)
                    .hasSize((int) Math.ceilDiv(request.inputTokens(), TraceRequest.TOKENS_PER_BLOCK))
                    .doesNotHaveDuplicates();
            for (int i = 0; i < ids.size(); i++) {
                List<Long> prefix = prefixes.putIfAbsent(ids.get(i), ids.subList(0, i));
                assertThat(prefix == null || prefix.equals(ids.subList(0, i))).isTrue();
            }
        }
    }

    @Test
    void theIdealIsWhatAnEndlessCacheWouldHit() {
        TraceSummary summary = TraceSummary.of(trace(4));

        // Every block that is not the first of its kind, since prefixes are whole.
        assertThat(summary.idealHits()).isEqualTo(summary.blocks() - summary.uniqueBlocks());
        assertThat(summary.idealHitRate())
                .isCloseTo((double) summary.idealHits() / summary.blocks(), within(1e-12))
                .isBetween(0.5, 0.9);
        assertThat(summary.requests()).isEqualTo(200);
        assertThat(TraceSummary.of(trace(4).limitedTo(0)).idealHitRate()).isZero();
    }

    @Test
    void whatIsWrittenIsReadBack(@TempDir Path dir) {
        Path file = dir.resolve("made.jsonl");

        assertThat(TraceWriter.write(trace(5), file)).isEqualTo(200);

        assertThat(new TraceFile(file).requests()).isEqualTo(trace(5).requests());
    }

    @Test
    void impossibleSettingsAreNamed() {
        assertThatThrownBy(() -> new TraceGenerator.Settings(40, 0, 2100, 900, 400, 500, 1))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("turns is 0; 1 to 1000");
    }
}
