package io.kvern.bench.inner;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.bench.report.InnerRow;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InnerBenchmarksIT {
    @TempDir
    private Path dir;

    @Test
    void aBenchmarkBecomesARowAndLeavesOnlyItsLog() {
        Path log = dir.resolve("inner.log");

        List<InnerRow> rows = new InnerBenchmarks(log, "StoreBenchmark.match128").run(true);

        assertThat(rows).singleElement().satisfies(row -> {
            assertThat(row.benchmark()).isEqualTo("match128");
            assertThat(row.score()).isPositive();
            assertThat(row.error()).isNaN();
            assertThat(row.unit()).isEqualTo("us/op");
            assertThat(row.allocatedBytes()).isPositive();
        });
        assertThat(dir).isDirectoryContaining("glob:**inner.log");
        assertThat(dir.toFile().list()).containsExactly("inner.log");
        assertThat(log).content().contains("match128");
    }
}
