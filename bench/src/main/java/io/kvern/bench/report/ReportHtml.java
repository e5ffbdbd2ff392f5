package io.kvern.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A report as one HTML file that needs no network. The page's script makes everything out of the report's JSON and puts text
 * in as text, so no name can become markup; this class only puts the parts together.
 */
public final class ReportHtml {
    private static final String CHART = "/META-INF/resources/webjars/chart.js/4.4.9/dist/chart.umd.js";
    private static final Pattern PART = Pattern.compile("\\{\\{(\\w+)}}");
    private static final Pattern SCRIPT_END = Pattern.compile("</(?=script)", Pattern.CASE_INSENSITIVE);
    private static final Pattern SOURCE_MAP = Pattern.compile("(?m)^//# sourceMappingURL=.*$");

    private ReportHtml() {}

    /** The whole page. */
    public static String render(Report report) {
        // One pass: what a part holds is never looked at again.
        return PART.matcher(resource("report.html"))
                .replaceAll(match -> Matcher.quoteReplacement(part(match.group(1), report)));
    }

    /** Writes a file, in place of what is there. */
    public static void write(Report report, Path file) throws IOException {
        Files.writeString(file, render(report));
    }

    private static String part(String name, Report report) {
        return switch (name) {
            case "style" -> resource("report.css");
            case "chart" -> script(SOURCE_MAP.matcher(resource(CHART)).replaceAll(""));
            case "tables" -> script(resource("tables.js"));
            case "charts" -> script(resource("charts.js"));
            case "data" -> data(ReportJson.compact(report));
            default -> throw new IllegalStateException("the page has no part named %s".formatted(name));
        };
    }

    /** In JSON all three stand within strings only, where an escape means the same. */
    private static String data(String json) {
        return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    }

    private static String script(String code) {
        return SCRIPT_END.matcher(code).replaceAll("<\\\\/");
    }

    private static String resource(String name) {
        try (InputStream in = ReportHtml.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("%s is not on the class path".formatted(name));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
