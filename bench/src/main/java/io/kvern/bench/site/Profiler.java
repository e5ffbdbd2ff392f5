package io.kvern.bench.site;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.kvern.bench.report.Profile;
import io.kvern.model.KvernException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import one.profiler.AsyncProfiler;

/** Takes flame graphs of JVMs, this one included, with async-profiler: where the CPU's time goes, the kernel's part by its calls. */
public final class Profiler {
    /** By timers of the threads: needs no leave of the kernel, unlike its own counters. */
    private static final String START = "start,event=ctimer,interval=1ms,threads";

    private final Path library;
    private final Path dir;
    private final List<Profile> profiles = new ArrayList<>();

    /**
     * Unpacks the library of this platform.
     *
     * @param dir for it and what it writes
     * @throws KvernException where there is none for this platform
     */
    public Profiler(Path dir) throws IOException {
        this.dir = dir;
        this.library = dir.resolve("libasyncProfiler.so");
        String resource = "/" + platform() + "/libasyncProfiler.so";
        try (InputStream bytes = AsyncProfiler.class.getResourceAsStream(resource)) {
            if (bytes == null) {
                throw new KvernException("--profile needs Linux or macOS; there is no " + resource);
            }
            Files.copy(bytes, library);
        }
    }

    private static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (os.contains("mac")) {
            return "macos";
        }
        return System.getProperty("os.arch").equals("aarch64") ? "linux-arm64" : "linux-x64";
    }

    /** What is profiled. */
    public interface Work {
        void run() throws Exception;
    }

    /** Runs the work, and keeps one flame graph of each of the processes that is a JVM. */
    public void profile(String title, List<Metered> processes, Work work) throws Exception {
        List<Metered> machines = processes.stream().filter(Metered::isJvm).toList();
        List<Long> pids = machines.stream().map(Metered::pid).toList();
        for (Metered machine : machines) {
            tell(machine, START);
        }
        try {
            work.run();
        } finally {
            for (int i = 0; i < machines.size(); i++) {
                Metered machine = machines.get(i);
                if (machine.pid() != pids.get(i)) {
                    continue; // Ended meanwhile, and with it what it had counted.
                }
                Path file = dir.resolve("flame-%d.html".formatted(profiles.size()));
                tell(machine, "stop,flamegraph,file=" + file);
                profiles.add(new Profile("%s: %s".formatted(title, machine.role()), Files.readString(file)));
            }
        }
    }

    public List<Profile> profiles() {
        return List.copyOf(profiles);
    }

    private void tell(Metered machine, String command) throws IOException {
        if (machine.pid() == ProcessHandle.current().pid()) {
            Objects.requireNonNull(AsyncProfiler.getInstance(library.toString()))
                    .execute(command);
            return;
        }
        try {
            VirtualMachine attached = VirtualMachine.attach(Long.toString(machine.pid()));
            try {
                attached.loadAgentPath(library.toString(), command);
            } finally {
                attached.detach();
            }
        } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
            throw new IOException("the %s cannot be profiled".formatted(machine.role()), e);
        }
    }
}
