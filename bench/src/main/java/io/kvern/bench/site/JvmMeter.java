package io.kvern.bench.site;

import com.sun.management.ThreadMXBean;
import io.kvern.bench.report.ProcessRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import javax.management.MBeanServerConnection;

/** Reads a JVM's own counters, of this process or of another through its management agent. */
final class JvmMeter implements Metered {
    private final String role;
    private final long pid;
    private final ThreadMXBean threads;
    private final List<MemoryPoolMXBean> heapPools;
    private final long heapLimit;

    JvmMeter(String role, long pid, MBeanServerConnection connection) {
        this.role = role;
        this.pid = pid;
        try {
            this.threads = ManagementFactory.newPlatformMXBeanProxy(
                    connection, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
            this.heapPools = ManagementFactory.getPlatformMXBeans(connection, MemoryPoolMXBean.class).stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .toList();
            this.heapLimit = ManagementFactory.newPlatformMXBeanProxy(
                            connection, ManagementFactory.MEMORY_MXBEAN_NAME, java.lang.management.MemoryMXBean.class)
                    .getHeapMemoryUsage()
                    .getMax();
        } catch (IOException e) {
            throw new UncheckedIOException("the JVM of the %s cannot be metered".formatted(role), e);
        }
    }

    /** This process. */
    static JvmMeter own() {
        return new JvmMeter("worker", ProcessHandle.current().pid(), ManagementFactory.getPlatformMBeanServer());
    }

    @Override
    public String role() {
        return role;
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public boolean isJvm() {
        return true;
    }

    @Override
    public double cpuSeconds() {
        return ProcFs.cpuSeconds(pid);
    }

    @Override
    public long allocatedBytes() {
        return threads.getTotalThreadAllocatedBytes();
    }

    /** The pools' peaks are added, though they need not have come together: the sum is a bound from above. */
    @Override
    public ProcessRow row(String during) {
        long peak = heapPools.stream()
                .mapToLong(pool -> pool.getPeakUsage().getUsed())
                .sum();
        return new ProcessRow(role, during, heapLimit, peak, ProcFs.peakRssBytes(pid), cpuSeconds());
    }
}
