package io.kvern.bench;

import com.sun.management.OperatingSystemMXBean;
import io.kvern.bench.report.Machine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the report says of where it was made. */
final class ThisMachine {
    private ThisMachine() {}

    static Machine look(Path dir) throws IOException {
        OperatingSystemMXBean os = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Machine(
                "%s %s %s".formatted(os.getName(), os.getVersion(), os.getArch()),
                cpu(),
                os.getAvailableProcessors(),
                os.getTotalMemorySize(),
                Files.getFileStore(dir).type(),
                "%s %s".formatted(System.getProperty("java.vm.name"), System.getProperty("java.runtime.version")));
    }

    private static String cpu() throws IOException {
        Path info = Path.of("/proc/cpuinfo");
        if (!Files.isReadable(info)) {
            return System.getProperty("os.arch");
        }
        return Files.readAllLines(info).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(System.getProperty("os.arch"));
    }
}
