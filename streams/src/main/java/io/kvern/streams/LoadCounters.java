package io.kvern.streams;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What the log lane did since the node started; blocks where nothing else is said. Any thread. */
final class LoadCounters {
    final LongAdder requests = new LongAdder();
    /** Blocks whose every piece was handed to the producer. */
    final LongAdder answered = new LongAdder();

    final LongAdder bytes = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder unsure = new LongAdder();
    final LongAdder late = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder corrupt = new LongAdder();
    /** Requests that name a partition of the replies topic that does not exist, or whose reply Kafka did not let begin. */
    final LongAdder dropped = new LongAdder();
    /** Records of replies that Kafka did not take. */
    final LongAdder repliesLost = new LongAdder();

    /** Name to value, in order, for INFO. */
    Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("log_lane_requests", text(requests));
        lines.put("log_lane_answered", text(answered));
        lines.put("log_lane_bytes", text(bytes));
        lines.put("log_lane_misses", text(misses));
        lines.put("log_lane_unsure", text(unsure));
        lines.put("log_lane_late", text(late));
        lines.put("log_lane_refused", text(refused));
        lines.put("log_lane_corrupt", text(corrupt));
        lines.put("log_lane_dropped", text(dropped));
        lines.put("log_lane_replies_lost", text(repliesLost));
        return lines;
    }

    private static String text(LongAdder adder) {
        return Long.toString(adder.sum());
    }
}
