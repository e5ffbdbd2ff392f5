package io.kvern.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.bench.breakeven.ModelShapes;
import io.kvern.bench.report.LaneRow;
import io.kvern.bench.report.LatencyRow;
import io.kvern.bench.report.ProcessRow;
import io.kvern.bench.report.Report;
import io.kvern.bench.report.ReportJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every row once, with real processes and few bytes: whether it measures at all, not how fast anything is. */
class BenchRunIT {
    private static final Set<String> ROWS =
            Set.of("append", "read", "evict", "replay", "wire", "log", "match", "load", "backlog");
    private static final long MIB = 1 << 20;

    @TempDir
    private Path dir;

    @Test
    void measuresEveryRowAndLeavesNoProcessBehind() throws Exception {
        BenchPlan plan = new BenchPlan(true, 1, Duration.ZERO, List.of(300_000), 8 * MIB, 8 * MIB, ROWS);

        Report report = new BenchRun(plan, dir, false, ModelShapes.known(), List.of()).run();

        assertThat(report.lanes())
                .extracting(LaneRow::lane)
                .containsExactlyInAnyOrder("append", "read", "evict", "replay", "wire", "log");
        assertThat(report.lanes()).allSatisfy(row -> {
            assertThat(row.ours().median()).isPositive();
            assertThat(row.limit().median()).isPositive();
            assertThat(row.ratio().median()).isPositive();
            assertThat(row.ours().copiesPerByte()).isPositive();
        });
        assertThat(report.latencies())
                .extracting(LatencyRow::name)
                .containsExactlyInAnyOrder("match", "load", "load", "load", "backlog");
        assertThat(report.nodes())
                .extracting(ProcessRow::role)
                .containsExactlyInAnyOrder("store node", "broker", "peer", "worker");
        assertThat(report.nodes())
                .filteredOn(process -> process.role().equals("store node"))
                .allSatisfy(node -> {
                    assertThat(node.heapLimitBytes()).isLessThanOrEqualTo(512 * MIB);
                    assertThat(node.peakHeapBytes()).isPositive();
                });
        assertThat(report.breakEven()).isNotEmpty();
        assertThat(ReportJson.parse(ReportJson.render(report))).isEqualTo(report);
        assertThat(ProcessHandle.current().descendants()).isEmpty();
        try (Stream<Path> files = Files.list(dir.resolve("node"))) {
            assertThat(files).isNotEmpty();
        }
    }
}
