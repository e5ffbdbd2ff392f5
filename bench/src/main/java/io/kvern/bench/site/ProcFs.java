package io.kvern.bench.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What Linux counts of a process. Elsewhere everything is 0, and the report says so. */
public final class ProcFs {
    /** Clock ticks of {@code /proc} are hundredths of a second on every Linux of today: proc(5), sysconf(_SC_CLK_TCK). */
    private static final double TICKS_PER_SECOND = 100;

    private ProcFs() {}

    /** Whether there is anything to read. */
    public static boolean present() {
        return Files.isReadable(Path.of("/proc/self/stat"));
    }

    /** User and system seconds of all its threads so far, ended ones included. */
    static double cpuSeconds(long pid) {
        if (!present()) {
            return 0;
        }
        String stat = read(Path.of("/proc", Long.toString(pid), "stat"));
        // The second field is the name in parentheses, which may hold anything; utime and stime are the 14th and 15th.
        List<String> fields =
                List.of(stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1));
        return (Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12))) / TICKS_PER_SECOND;
    }

    /** Most resident bytes so far. */
    static long peakRssBytes(long pid) {
        if (!present()) {
            return 0;
        }
        return read(Path.of("/proc", Long.toString(pid), "status"))
                .lines()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst()
                .orElse(0);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
