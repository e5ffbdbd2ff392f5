package io.kvern.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.app.demo.engine.RequestStats;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoTableTest {
    @Test
    void everyNumberStandsInItsPlace() {
        String table = DemoTable.render(report(List.of(), 0));

        assertThat(table).isEqualTo("""
            EXPECTED\
            """);
    }

    @Test
    void failuresAreNamed() {
        assertThat(DemoTable.render(report(List.of("worker B, user 3: differs"), 2)))
                .contains("FAILED: worker B, user 3: differs\n")
                .contains("FAILED: 2 blocks were corrupt\n");
    }

    private static DemoReport report(List<String> mismatches, long corrupt) {
        ServeStats served = new ServeStats();
        served.add(new RequestStats(1_000, 100, 700, 8, 7_000_000, 60_000_000, 10_000_000, 100_000_000));
        ServeStats cold = new ServeStats();
        cold.add(new RequestStats(1_000, 0, 0, 8, 0, 1_200_000_000, 0, 1_300_000_000));
        return new DemoReport(
                DemoPlan.full().shape(),
                List.of(
                        new DemoReport.Worker("worker A", false, served),
                        new DemoReport.Worker("worker B", true, served)),
                served,
                cold,
                new DemoReport.Transfer(10, 8_000_000, 20_000_000),
                new DemoBackend.Replay(100, 80_000_000, 160_000_000),
                new DemoBackend.Counts(120, 96_000_000, 1, 100, 80_000_000, 1_234, 987_654_321, corrupt),
                12,
                mismatches);
    }
}
