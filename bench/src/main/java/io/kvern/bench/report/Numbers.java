package io.kvern.bench.report;

import java.util.Locale;

/** Numbers as the text and Markdown reports print them. What is no number prints as a dash. */
final class Numbers {
    static final String NONE = "-";
    private static final double KIB = 1024;
    private static final double MIB = 1 << 20;

    private Numbers() {}

    static String decimals(double value, int digits) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%,." + digits + "f", value) : NONE;
    }

    /** About three digits: 0.0123, 1.23, 123, 12,345. */
    static String significant(double value) {
        double size = Math.abs(value);
        return decimals(value, size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4);
    }

    static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** A block's size: whole MiB or KiB where it is one. */
    static String size(long bytes) {
        if (bytes >= MIB && bytes % (1 << 20) == 0) {
            return count(bytes >> 20) + " MiB";
        }
        return bytes >= KIB && bytes % 1024 == 0 ? count(bytes >> 10) + " KiB" : count(bytes) + " B";
    }

    static String kib(double bytes) {
        return significant(bytes / KIB);
    }

    static String mib(long bytes) {
        return decimals(bytes / MIB, 0);
    }

    /** The least and the most of any round. */
    static String spread(Ratio ratio) {
        return "[%s-%s]".formatted(decimals(ratio.least(), 2), decimals(ratio.most(), 2));
    }

    /** What was asked of the row, and whether it holds. */
    static String budget(LaneRow row) {
        if (row.budget() == 0) {
            return NONE;
        }
        return decimals(row.budget(), 2) + (row.withinBudget() ? " met" : " MISSED");
    }

    /** 0 stands for "not counted". */
    static String copies(Side side) {
        return side.copiesPerByte() == 0 ? NONE : count(side.copiesPerByte());
    }

    /** CPU seconds per 10^9 bytes; 0 stands for "not counted". */
    static String cpu(Side side) {
        return side.cpuSecondsPerGigabyte() == 0 ? NONE : decimals(side.cpuSecondsPerGigabyte(), 2);
    }
}
