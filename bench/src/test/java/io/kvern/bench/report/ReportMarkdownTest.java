package io.kvern.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReportMarkdownTest {
    @Test
    void aRowIsALine() {
        List<String> lines = ReportMarkdown.lanes(TestReports.full()).lines().toList();

        assertThat(lines).hasSize(6);
        assertThat(lines.get(2))
                .isEqualTo("| Wire lane | 1 MiB | 1.94 | 2.00 | 0.97 | 0.91-1.01 | 0.90 met | 2 | 2.00 | redis GET 1.23"
                        + " |");
        assertThat(lines.get(5)).contains("&lt;/script>").doesNotContain("<");
    }
}
