package io.kvern.bench.site;

import java.util.List;

/** Adds up what a set of processes spends between two looks. */
public final class Meter {
    private final List<Metered> processes;
    private final double cpuBefore;
    private final long allocatedBefore;

    private Meter(List<Metered> processes) {
        this.processes = processes;
        this.cpuBefore = cpu();
        this.allocatedBefore = allocated();
    }

    /** Begins to count. */
    public static Meter start(List<Metered> processes) {
        return new Meter(processes);
    }

    /** CPU seconds of all since the start. */
    public double cpuSeconds() {
        return cpu() - cpuBefore;
    }

    /** Heap bytes allocated by all since the start. */
    public long allocatedBytes() {
        return allocated() - allocatedBefore;
    }

    private double cpu() {
        return processes.stream().mapToDouble(Metered::cpuSeconds).sum();
    }

    private long allocated() {
        return processes.stream().mapToLong(Metered::allocatedBytes).sum();
    }
}
