package io.kvern.bench.replay;

import io.kvern.app.demo.TextTable;
import java.util.Locale;

/** Renders a report as plain text. */
final class ReplayTable {
    private ReplayTable() {}

    /** Several lines, the last one with its end. */
    static String render(ReplayReport report) {
        StringBuilder out =
                new StringBuilder("\nTrace: ").append(report.trace()).append("\n\n");
        TextTable table = new TextTable()
                .row("Requests", count(report.requests()))
                .row("Prompt tokens", count(report.tokens()))
                .row("Blocks, of %,d bytes".formatted(report.blockBytes()), count(report.blocks()))
                .row("  different ones", count(report.uniqueBlocks()))
                .row("Hit rate by tokens, loaded and verified", percent(report.hitRate()))
                .row("  ideal: an endless cache", percent(report.idealHitRate()))
                .row("Published", megabytes(report.publishedBytes()), rate(report.publishedGigabytesPerSecond()))
                .row("Loaded", megabytes(report.loadedBytes()), rate(report.loadedGigabytesPerSecond()))
                .row("Load of a whole prefix, p50", millis(report.loadMillisP50()))
                .row("Load of a whole prefix, p99", millis(report.loadMillisP99()))
                .row("Corrupt blocks", count(report.corrupt()))
                .row("Damaged blocks, found by the store", count(report.damaged()))
                .row("Dropped blocks", count(report.dropped()))
                .row("Failed blocks", count(report.failed()))
                .row("Answers that were not sure", count(report.unsure()))
                .row("Store: capacity", megabytes(report.capacityBytes()))
                .row("Store: payload at the end", megabytes(report.storeLiveBytes()))
                .row("Store: blocks evicted", count(report.storeEvictedBlocks()))
                .row("Store: blocks kept from eviction", count(report.storeKeptBlocks()))
                .row("Store: blocks refused", count(report.storeRefused()));
        if (report.speed() > 0) {
            table.row("Requests that began late", count(report.lateRequests()))
                    .row("  the latest by", seconds(report.mostLateSeconds()));
        }
        table.row("Wall time", seconds(report.wallSeconds())).appendTo(out);
        return out.toString();
    }

    private static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f %%", 100 * share);
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%,.1f MB", bytes / 1e6);
    }

    private static String rate(double gigabytesPerSecond) {
        return String.format(Locale.ROOT, "%.3f GB/s", gigabytesPerSecond);
    }

    private static String millis(double value) {
        return String.format(Locale.ROOT, "%,.2f ms", value);
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, "%,.1f s", value);
    }
}
