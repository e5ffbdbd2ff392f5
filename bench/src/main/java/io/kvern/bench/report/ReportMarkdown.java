package io.kvern.bench.report;

import static io.kvern.bench.report.Numbers.decimals;

import java.util.stream.Collectors;

/** The lanes of a report as a table for a page in Markdown. */
public final class ReportMarkdown {
    private ReportMarkdown() {}

    /** Two lines of heading and one line per row, each with its end. */
    public static String lanes(Report report) {
        StringBuilder out = new StringBuilder();
        line(
                out,
                "lane",
                "block",
                "GB/s",
                "limit",
                "ratio",
                "least-most",
                "budget",
                "copies/byte",
                "KiB/block",
                "peers");
        line(out, "---", "---:", "---:", "---:", "---:", "---:", "---:", "---:", "---:", "---");
        for (LaneRow row : report.lanes()) {
            line(
                    out,
                    row.title(),
                    Numbers.size(row.blockBytes()),
                    decimals(row.ours().median(), 2),
                    decimals(row.limit().median(), 2),
                    decimals(row.ratio().median(), 2),
                    decimals(row.ratio().least(), 2) + "-"
                            + decimals(row.ratio().most(), 2),
                    Numbers.budget(row),
                    Numbers.copies(row.ours()),
                    Numbers.kib(row.ours().allocatedBytesPerBlock()),
                    row.peers().stream()
                            .map(peer -> peer.name() + " " + decimals(peer.median(), 2))
                            .collect(Collectors.joining(", ")));
        }
        return out.toString();
    }

    private static void line(StringBuilder out, String... cells) {
        for (String cell : cells) {
            out.append("| ").append(cell(cell)).append(' ');
        }
        out.append("|\n");
    }

    /** A cell holds no bar, no line end and no HTML of its own. */
    private static String cell(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace("|", "\\|")
                .replaceAll("\\s+", " ");
    }
}
