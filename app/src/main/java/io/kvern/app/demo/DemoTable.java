package io.kvern.app.demo;

import io.kvern.app.demo.engine.ModelShape;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Renders a report as plain text. Sizes are in decimal units: 1 MB is a million bytes. */
public final class DemoTable {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    private DemoTable() {}

    /** Several lines, the last one with its end. */
    public static String render(DemoReport report) {
        StringBuilder out = new StringBuilder();
        ModelShape shape = report.shape();
        out.append(String.format(
                Locale.ROOT,
                "\nModel: %.1f million weights, %d layers, %d query and %d KV heads; blocks of %d tokens in bf16, %d"
                        + " KiB each\n\n",
                shape.parameters() / 1e6,
                shape.layers(),
                shape.queryHeads(),
                shape.kvHeads(),
                shape.tokensPerBlock(),
                shape.blockBytes() >> 10));
        blocks(report).appendTo(out);
        out.append('\n');
        tokens(report).appendTo(out);
        out.append('\n');
        firstToken(report).appendTo(out);
        out.append('\n');
        verdict(report).appendTo(out);
        report.failures()
                .forEach(failure -> out.append("  FAILED: ").append(failure).append('\n'));
        return out.toString();
    }

    private static TextTable blocks(DemoReport report) {
        DemoBackend.Counts counts = report.counts();
        DemoReport.Transfer flush = report.flush();
        DemoBackend.Replay replay = report.replay();
        return new TextTable()
                .row("KV blocks", "blocks", "MB", "GB/s")
                .row("published to the log", count(counts.publishedBlocks()), megabytes(counts.publishedBytes()))
                .row(
                        "  of them by worker A at its end, until stored",
                        count(flush.blocks()),
                        megabytes(flush.bytes()),
                        gigabytesPerSecond(flush.bytes(), flush.nanos()))
                .row("dropped or failed on the way out", count(counts.notPublishedBlocks()))
                .row(
                        "restored from the log by the new store node",
                        count(replay.blocks()),
                        megabytes(replay.bytes()),
                        gigabytesPerSecond(replay.bytes(), replay.nanos()))
                .row("stored now", count(counts.storedBlocks()), megabytes(counts.storedBytes()))
                .row(
                        "loaded into workers",
                        count(counts.loadedBlocks()),
                        megabytes(counts.loadedBytes()),
                        gigabytesPerSecond(
                                report.served().loadedBytes(), report.served().loadNanos()))
                .row("corrupt", count(counts.corruptBlocks()));
    }

    private static TextTable tokens(DemoReport report) {
        TextTable table =
                new TextTable().row("Prompt tokens", "turns", "tokens", "own pool", "loaded", "computed", "reused");
        report.workers().forEach(worker -> tokenRow(table, worker.name(), worker.stats()));
        tokenRow(table, "all", report.served());
        return table;
    }

    private static void tokenRow(TextTable table, String name, ServeStats stats) {
        table.row(
                name,
                count(stats.requests()),
                count(stats.promptTokens()),
                count(stats.cachedTokens()),
                count(stats.loadedTokens()),
                count(stats.prefilledTokens()),
                String.format(Locale.ROOT, "%.1f %%", 100 * stats.reusedShare()));
    }

    private static TextTable firstToken(DemoReport report) {
        ServeStats cold = report.cold();
        ServeStats warm = report.warm();
        return new TextTable()
                .row("Time to first token, the same " + warm.requests() + " prompts", "p50", "p99")
                .row("cold: computed from scratch", milliseconds(cold, 50), milliseconds(cold, 99))
                .row("warm: prefix loaded by a cold worker", milliseconds(warm, 50), milliseconds(warm, 99))
                .row("cold / warm", ratio(cold, warm, 50), ratio(cold, warm, 99));
    }

    private static TextTable verdict(DemoReport report) {
        return new TextTable()
                .row(
                        "Tokens loaded per second",
                        String.format(Locale.ROOT, "%,.0f", report.served().loadedTokensPerSecond()))
                .row(
                        "Tokens computed per second",
                        String.format(Locale.ROOT, "%,.0f", report.cold().prefilledTokensPerSecond()))
                .row(
                        "Tokens generated per second",
                        String.format(Locale.ROOT, "%,.0f", report.served().decodedTokensPerSecond()))
                .row("Answers computed again and compared bit for bit", count(report.checked()))
                .row("Answers that differ", count(report.mismatches().size()));
    }

    private static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%,.1f", bytes / 1e6);
    }

    private static String gigabytesPerSecond(long bytes, long nanos) {
        return nanos <= 0 ? "-" : String.format(Locale.ROOT, "%.2f", bytes / 1e9 / (nanos / NANOS_PER_SECOND));
    }

    private static String milliseconds(ServeStats stats, double percentile) {
        return String.format(Locale.ROOT, "%,.1f ms", stats.firstTokenNanos(percentile) / NANOS_PER_MILLISECOND);
    }

    private static String ratio(ServeStats cold, ServeStats warm, double percentile) {
        long warmNanos = warm.firstTokenNanos(percentile);
        return warmNanos == 0
                ? "-"
                : String.format(Locale.ROOT, "%.1f x", (double) cold.firstTokenNanos(percentile) / warmNanos);
    }
}
