package io.kvern.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReportHtmlTest {
    private static final Pattern DATA =
            Pattern.compile("(?s)<script type=\"application/json\" id=\"data\">(.*?)</script>");
    private static final Pattern REFERENCE =
            Pattern.compile("(?i:src|href)\\s*=\\s*[\"']?(https?:)?//|url\\(|@import|<link|sourceMappingURL");

    private final String html = ReportHtml.render(TestReports.full());

    private String data() {
        return DATA.matcher(html).results().findFirst().orElseThrow().group(1);
    }

    @Test
    void theDataIsTheReport() throws Exception {
        assertThat(ReportJson.parse(data())).isEqualTo(TestReports.full());
        assertThat(data()).contains("\"wire\"", "\"evict\"", "\"tiny\"");
    }

    @Test
    void noNameBecomesMarkup() {
        assertThat(html).doesNotContain("alert(1)</script>", "<b>bold", "var x = 1;</script>");
        assertThat(data()).doesNotContain("<", ">", "&").contains("\\u003cb\\u003ebold \\u0026 {{data}}");
    }

    @Test
    void scriptsEndWhereTheyShould() {
        assertThat(html.split("<script", -1)).hasSize(5);
        assertThat(html.split("</script>", -1)).hasSize(5);
    }

    @Test
    void nothingIsFetched() {
        assertThat(REFERENCE.matcher(html).results().map(match -> match.group()).toList())
                .isEmpty();
        assertThat(html).contains("default-src 'none'").contains("Chart.js v4.4.9");
    }
}
