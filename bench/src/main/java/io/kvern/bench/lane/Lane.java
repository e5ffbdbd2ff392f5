package io.kvern.bench.lane;

import io.kvern.bench.report.LaneRow;

/** A row of the report, for any block size. */
public interface Lane {
    /** Measures it at one block size. */
    LaneRow measure(int blockBytes) throws Exception;
}
