package io.kvern.bench.lane;

import io.kvern.bench.report.LatencyRow;
import java.io.IOException;
import org.HdrHistogram.Histogram;

/** Times calls one after the other. */
final class CallTimes {
    private CallTimes() {}

    /** What is timed. */
    interface Call {
        void run() throws IOException, InterruptedException;
    }

    /** Half as many calls warm up. */
    static LatencyRow.Times of(String what, int calls, Call call) throws IOException, InterruptedException {
        for (int i = 0; i < calls / 2; i++) {
            call.run();
        }
        Histogram nanos = new Histogram(3);
        for (int i = 0; i < calls; i++) {
            long start = System.nanoTime();
            call.run();
            nanos.recordValue(System.nanoTime() - start);
        }
        return new LatencyRow.Times(
                what,
                nanos.getTotalCount(),
                nanos.getValueAtPercentile(50) / 1e3,
                nanos.getValueAtPercentile(90) / 1e3,
                nanos.getValueAtPercentile(99) / 1e3,
                nanos.getMaxValue() / 1e3);
    }
}
