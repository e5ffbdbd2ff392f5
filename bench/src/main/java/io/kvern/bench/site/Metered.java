package io.kvern.bench.site;

import io.kvern.bench.report.ProcessRow;

/** A process whose costs are counted. */
public interface Metered {
    /** What it is in the report: "store node", "broker". */
    String role();

    /** Its number now; a role may be taken by another process later. */
    long pid();

    /** Whether it is a JVM, and has a heap to look at. */
    boolean isJvm();

    /** CPU seconds, user and system, so far. */
    double cpuSeconds();

    /** Heap bytes that its threads have allocated so far; 0 where it is no JVM. */
    long allocatedBytes();

    /** How large it has been so far. */
    ProcessRow row(String during);
}
