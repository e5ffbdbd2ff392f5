package io.kvern.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportJsonTest {
    @TempDir
    private Path dir;

    @Test
    void aReportReadBackIsTheSame() throws Exception {
        Report report = TestReports.full();
        Path file = dir.resolve("report.json");

        ReportJson.write(report, file);

        assertThat(ReportJson.read(file)).isEqualTo(report);
        assertThat(ReportJson.read(file).inner().getFirst().error()).isNaN();
    }

    @Test
    void theTextIsOneFieldALine() {
        assertThat(ReportJson.render(TestReports.full()).lines())
                .contains("  \"version\" : \"0.1.0\",")
                .contains("    \"error\" : \"NaN\",");
    }

    @Test
    void whatIsNoReportIsRefused() {
        assertThatThrownBy(() -> ReportJson.parse("{}")).isInstanceOf(JsonProcessingException.class);
        assertThatThrownBy(() -> ReportJson.parse("{\"version\":")).isInstanceOf(JsonProcessingException.class);
    }
}
