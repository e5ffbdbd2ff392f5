package io.kvern.bench.report;

import static io.kvern.bench.report.Numbers.count;
import static io.kvern.bench.report.Numbers.decimals;
import static io.kvern.bench.report.Numbers.kib;
import static io.kvern.bench.report.Numbers.mib;
import static io.kvern.bench.report.Numbers.significant;

import java.util.List;

/** A report as the terminal shows it. A part without rows is left out. */
public final class ReportText {
    private static final List<Long> PREFIXES = List.of(1_024L, 8_192L, 32_768L, 131_072L);

    private final Report report;
    private final StringBuilder out = new StringBuilder();

    private ReportText(Report report) {
        this.report = report;
    }

    /** Several lines, the last one with its end. */
    public static String render(Report report) {
        ReportText text = new ReportText(report);
        text.head();
        text.lanes();
        text.latencies();
        text.inner();
        text.processes();
        text.breakEven();
        text.notes();
        return text.out.toString();
    }

    private void head() {
        Machine machine = report.machine();
        out.append(
                "Kvern %s, %s, %s s\n".formatted(report.version(), report.startedAt(), decimals(report.seconds(), 0)));
        out.append("%s; %d cores, %s MiB; %s\n"
                .formatted(machine.cpu(), machine.cores(), mib(machine.memoryBytes()), machine.os()));
        out.append("%s; data on %s\n".formatted(machine.jvm(), machine.disk()));
    }

    private void lanes() {
        if (report.lanes().isEmpty()) {
            return;
        }
        out.append("\nThroughput: 10^9 bytes of payload per second, medians of %d rounds\n".formatted(report.rounds()));
        TextTable table = new TextTable(2)
                .row("lane", "block", "GB/s", "limit", "ratio", "[least-most]", "budget", "copies/B", "KiB/block")
                .append("CPU s/GB", "limit");
        for (LaneRow row : report.lanes()) {
            Side ours = row.ours();
            table.row(
                            row.lane(),
                            Numbers.size(row.blockBytes()),
                            decimals(ours.median(), 2),
                            decimals(row.limit().median(), 2),
                            decimals(row.ratio().median(), 2),
                            Numbers.spread(row.ratio()),
                            Numbers.budget(row),
                            Numbers.copies(ours),
                            kib(ours.allocatedBytesPerBlock()))
                    .append(Numbers.cpu(ours), Numbers.cpu(row.limit()));
            for (Side peer : row.peers()) {
                table.row("  " + peer.name(), "", decimals(peer.median(), 2), "", "", "", "", "", "")
                        .append(Numbers.cpu(peer));
            }
        }
        table.appendTo(out);
    }

    private void latencies() {
        if (report.latencies().isEmpty()) {
            return;
        }
        out.append("\nLatency: microseconds\n");
        TextTable table = new TextTable(2).row("call", "what", "calls", "p50", "p90", "p99", "max");
        for (LatencyRow row : report.latencies()) {
            times(table, row.name(), row.what() + ": " + row.ours().what(), row.ours());
            times(table, "  limit", row.limit().what(), row.limit());
        }
        table.appendTo(out);
    }

    private static void times(TextTable table, String name, String what, LatencyRow.Times times) {
        table.row(
                name,
                what,
                count(times.calls()),
                significant(times.p50()),
                significant(times.p90()),
                significant(times.p99()),
                significant(times.max()));
    }

    private void inner() {
        if (report.inner().isEmpty()) {
            return;
        }
        out.append("\nInner pieces: JMH\n");
        TextTable table = new TextTable(2).row("piece", "with", "score", "+/-", "unit", "heap B/op");
        for (InnerRow row : report.inner()) {
            table.row(
                    row.benchmark(),
                    row.parameters(),
                    significant(row.score()),
                    significant(row.error()),
                    row.unit(),
                    decimals(row.allocatedBytes(), 0));
        }
        table.appendTo(out);
    }

    private void processes() {
        if (report.nodes().isEmpty()) {
            return;
        }
        out.append("\nProcesses: peaks in MiB\n");
        TextTable table = new TextTable(2).row("process", "during", "heap", "of -Xmx", "resident", "CPU s");
        for (ProcessRow row : report.nodes()) {
            table.row(
                    row.role(),
                    row.during(),
                    mib(row.peakHeapBytes()),
                    mib(row.heapLimitBytes()),
                    mib(row.peakRssBytes()),
                    decimals(row.cpuSeconds(), 1));
        }
        table.appendTo(out);
    }

    private void breakEven() {
        if (report.breakEven().isEmpty()) {
            return;
        }
        out.append("\nBreak-even: the shortest prefix worth loading, and the ms to the first token saved by prefix\n");
        TextTable table = new TextTable(2).row("model", "lane", "KiB/token", "prefill tok/s", "GB/s", "tokens");
        PREFIXES.forEach(tokens -> table.append(count(tokens)));
        for (BreakEvenTable row : report.breakEven()) {
            table.row(
                    row.model(),
                    row.lane(),
                    kib((double) row.bytesPerToken()),
                    decimals(row.prefillTokensPerSecond(), 0),
                    decimals(row.gigabytesPerSecond(), 2),
                    row.breakEvenTokens() < 0 ? "never" : count(row.breakEvenTokens()));
            PREFIXES.forEach(tokens -> table.append(saved(row, tokens)));
        }
        table.appendTo(out);
    }

    private static String saved(BreakEvenTable table, long tokens) {
        return table.lines().stream()
                .filter(line -> line.tokens() == tokens)
                .map(line -> significant(line.savedMillis()))
                .findFirst()
                .orElse(Numbers.NONE);
    }

    private void notes() {
        if (!report.notes().isEmpty()) {
            out.append("\nNotes\n");
            report.notes().forEach(note -> out.append("  - ").append(note).append('\n'));
        }
    }
}
