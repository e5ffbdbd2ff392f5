package io.kvern.bench.report;

import java.util.List;

/** A report that has every part, and names that try to be markup. */
final class TestReports {
    static final String SCRIPT = "</script><script>alert(1)</script>";
    static final String BOLD = "<b>bold & {{data}}</b>";

    private TestReports() {}

    static Report full() {
        return new Report(
                "0.1.0",
                new Machine("Linux 6.1", "Some CPU @ 2 GHz", 2, 8L << 30, "ext4", "OpenJDK 25"),
                "2026-01-02T03:04:05Z",
                123.4,
                7,
                List.of(
                        lane("wire", "Wire lane", 1 << 20, 0.97, 0.9),
                        lane("wire", "Wire lane", 4 << 20, 0.93, 0.9),
                        lane("evict", "Evict to indexed", 1 << 20, 0.72, 0.85),
                        lane("tiny", SCRIPT, 1000, 1.25, 0)),
                List.of(new LatencyRow("match", "KV.MATCH", "128 ids", times(98.5), times(61.25))),
                List.of(
                        new InnerRow("crc", "bytes=65536", 5.25, Double.NaN, "us/op", 24),
                        new InnerRow("find", "", 1.5, 0.25, "us/op", Double.NaN)),
                List.of(new ProcessRow(BOLD, "evict", 512L << 20, 301L << 20, 900L << 20, 44.44)),
                List.of(breakEven("Llama", 2000, 1021), breakEven("Llama", 90_000, -1)),
                List.of(new Profile("Evict", "<html><script>var x = 1;</script></html>")),
                List.of("No redis-server was found.", SCRIPT, BOLD));
    }

    private static LaneRow lane(String lane, String title, long blockBytes, double ratio, double budget) {
        return new LaneRow(
                lane,
                title,
                blockBytes,
                64,
                side("kvern", 2 * ratio, 2),
                side("limit", 2, 0),
                List.of(side("redis GET", 1.23, 0)),
                new Ratio(ratio, ratio - 0.06, ratio + 0.04),
                budget);
    }

    private static Side side(String name, double median, int copies) {
        return new Side(name, "moves the bytes", List.of(median, median), median, 0.61, 2048, copies);
    }

    private static LatencyRow.Times times(double p50) {
        return new LatencyRow.Times("over loopback", 10_000, p50, p50 * 1.5, p50 * 2, p50 * 20);
    }

    private static BreakEvenTable breakEven(String model, double speed, long tokens) {
        return new BreakEvenTable(
                model,
                131_072,
                speed,
                "wire",
                2.5,
                0.7,
                tokens,
                List.of(
                        new BreakEvenTable.Line(1024, 512, 54.4, 457.6),
                        new BreakEvenTable.Line(8192, 4096, 430.2, 3665.8)));
    }
}
