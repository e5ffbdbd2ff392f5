package io.kvern.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTextTest {
    private static String line(String text, String start) {
        return text.lines().filter(line -> line.startsWith(start)).findFirst().orElse("");
    }

    @Test
    void aLaneIsALineWithItsPeersBelow() {
        String text = ReportText.render(TestReports.full());

        assertThat(line(text, "  wire").split("\\s{2,}"))
                .containsExactly(
                        "",
                        "wire",
                        "1 MiB",
                        "1.94",
                        "2.00",
                        "0.97",
                        "[0.91-1.01]",
                        "0.90 met",
                        "2",
                        "2.00",
                        "0.61",
                        "0.61");
        assertThat(line(text, "  evict")).contains("0.85 MISSED");
        assertThat(line(text, "    redis GET")).contains("1.23");
    }

    @Test
    void eachPartIsThere() {
        String text = ReportText.render(TestReports.full());

        assertThat(line(text, "  match")).contains("128", "98.5").as("latency");
        assertThat(line(text, "  crc").split("\\s{2,}"))
                .containsExactly("", "crc", "bytes=65536", "5.25", "-", "us/op", "24");
        assertThat(line(text, "  " + TestReports.BOLD)).contains("301", "512", "900", "44.4");
        assertThat(text.lines().filter(line -> line.startsWith("  Llama")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("1,021", "458", "3,666"),
                        line -> assertThat(line).contains("never"));
        assertThat(text).endsWith("  - " + TestReports.BOLD + "\n");
    }

    @Test
    void aPartWithoutRowsIsLeftOut() {
        Report full = TestReports.full();
        Report empty = new Report(
                full.version(),
                full.machine(),
                full.startedAt(),
                full.seconds(),
                full.rounds(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());

        assertThat(ReportText.render(empty).lines()).hasSize(3);
    }
}
