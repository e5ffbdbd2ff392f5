package io.kvern.bench.report;

import java.util.List;

/**
 * One way to move the bytes of a row.
 *
 * @param name "kvern", "limit", "redis GET"
 * @param what what it does, in a line: the same bytes, the same durability
 * @param gigabytesPerSecond payload, 10^9 bytes per second, one figure per round
 * @param median of them
 * @param cpuSecondsPerGigabyte of all processes that took part, user and system; 0 where not counted
 * @param allocatedBytesPerBlock heap that all JVMs that took part allocated for one block; 0 where it was not a JVM
 * @param copiesPerByte how often a payload byte is copied inside the processes between its two ends, kernel crossings
 *     included, as counted in the code's way from end to end; 0 where not counted
 */
public record Side(
        String name,
        String what,
        List<Double> gigabytesPerSecond,
        double median,
        double cpuSecondsPerGigabyte,
        double allocatedBytesPerBlock,
        int copiesPerByte) {}
