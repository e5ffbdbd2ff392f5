package io.kvern.streams.doors;

import java.util.concurrent.atomic.LongAdder;

/** What clients were told. Any thread. */
final class DoorCounters {
    /** Blocks that were found. */
    final LongAdder hits = new LongAdder();
    /** Blocks that are certainly not stored. */
    final LongAdder misses = new LongAdder();
    /** Blocks of which this node could not be sure. */
    final LongAdder unsure = new LongAdder();
    /** Blocks found damaged when they were read. */
    final LongAdder corrupt = new LongAdder();
    /** Blocks that the disk failed to read. */
    final LongAdder readErrors = new LongAdder();
    /** Blocks stored or removed through the door, and applied here. */
    final LongAdder writes = new LongAdder();
    /** Writes that were dropped, failed, or not applied in time. */
    final LongAdder writeErrors = new LongAdder();
}
