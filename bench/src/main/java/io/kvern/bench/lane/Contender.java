package io.kvern.bench.lane;

import io.kvern.bench.site.Metered;
import java.util.List;

/** One way to do a row's work, prepared and ready to run again and again. */
interface Contender extends AutoCloseable {
    /** "kvern", "limit", or whose it is. */
    String name();

    /** What it does, for a reader who wants to know whether the comparison is fair. */
    String what();

    /** Copies of a payload byte between the row's two ends, see {@link io.kvern.bench.report.Side}. */
    int copiesPerByte();

    /** The processes that it takes. */
    List<Metered> processes();

    /**
     * Does it once.
     *
     * @param round counted from 0; what is written is new in each
     */
    Moved run(int round) throws Exception;

    @Override
    default void close() {}

    /** What was done in how long. */
    record Moved(long bytes, long blocks, long nanos) {
        static Moved since(long startNanos, long bytes, long blocks) {
            return new Moved(bytes, blocks, System.nanoTime() - startNanos);
        }
    }
}
