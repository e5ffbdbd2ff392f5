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

            Model: 13.3 million weights, 12 layers, 4 query and 2 KV heads; blocks of 64 tokens in bf16, 768 KiB each

              KV blocks                                       blocks     MB  GB/s
              published to the log                               120   96.0
                of them by worker A at its end, until stored      10    8.0  0.40
              dropped or failed on the way out                     1
              restored from the log by the new store node        100   80.0  0.50
              stored now                                         100   80.0
              loaded into workers                              1,234  987.7  0.70
              corrupt                                              0

              Prompt tokens  turns  tokens  own pool  loaded  computed  reused
              worker A           1   1,000       100     700       200  80.0 %
              worker B           1   1,000       100     700       200  80.0 %
              all                2   2,000       200   1,400       400  80.0 %

              Time to first token, the same 1 prompts         p50         p99
              cold: computed from scratch              1,200.6 ms  1,200.6 ms
              warm: prefix loaded by a cold worker        60.0 ms     60.0 ms
              cold / warm                                  20.0 x      20.0 x

              Tokens loaded per second                         70,000
              Tokens computed per second                          833
              Tokens generated per second                         175
              Answers computed again and compared bit for bit      12
              Answers that differ                                   0
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
