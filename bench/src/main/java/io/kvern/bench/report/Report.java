package io.kvern.bench.report;

import java.util.List;

/**
 * All that one run found. The JSON file is this record as it stands.
 *
 * @param version of Kvern
 * @param startedAt as ISO-8601, UTC
 * @param seconds how long the run took
 * @param rounds alternating rounds per throughput row
 * @param lanes throughput against a limit
 * @param latencies times of single calls against a limit
 * @param inner JMH's figures of the inner pieces
 * @param nodes the processes that took part, and how large they grew
 * @param breakEven from which prefix length on loading beats computing
 * @param profiles where the time went
 * @param notes what a reader must know to judge the figures: what was absent, what was left out
 */
public record Report(
        String version,
        Machine machine,
        String startedAt,
        double seconds,
        int rounds,
        List<LaneRow> lanes,
        List<LatencyRow> latencies,
        List<InnerRow> inner,
        List<ProcessRow> nodes,
        List<BreakEvenTable> breakEven,
        List<Profile> profiles,
        List<String> notes) {}
