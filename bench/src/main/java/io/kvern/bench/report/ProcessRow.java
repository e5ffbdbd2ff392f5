package io.kvern.bench.report;

/**
 * A process of the run.
 *
 * @param heapLimitBytes its -Xmx
 * @param peakHeapBytes most that its heap held at once, garbage included
 * @param peakRssBytes most resident memory, as the kernel counted it; mapped files included
 * @param cpuSeconds user and system, over its life
 */
public record ProcessRow(
        String role, String during, long heapLimitBytes, long peakHeapBytes, long peakRssBytes, double cpuSeconds) {}
