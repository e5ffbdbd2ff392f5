package io.kvern.bench.site;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.kvern.model.KvernException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A JVM on this one's class path, with a heap of its own, lines in and lines out. One thread talks to it at a time. */
public final class ChildJvm implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChildJvm.class);
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration STOP = Duration.ofMinutes(1);

    private final String role;
    private final Process process;
    private final BufferedWriter in;
    private final BlockingQueue<String> out = new LinkedBlockingQueue<>();
    private @Nullable JMXConnector management;
    private @Nullable JvmMeter meter;
    private @Nullable Matcher greeting;

    private ChildJvm(String role, Process process) {
        this.role = role;
        this.process = process;
        this.in = process.outputWriter(StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon().name("bench-" + role).start(this::readLines);
    }

    /**
     * Starts it.
     *
     * @param role for messages and the report
     * @param options of the JVM: heap and collector above all
     * @param main class and its arguments
     * @param ready what it prints when it is up
     * @param log where its standard error goes, appended
     * @throws KvernException where it does not say so in time
     */
    public static ChildJvm start(String role, List<String> options, List<String> main, Pattern ready, Path log)
            throws InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of(
                "-XX:+ExitOnOutOfMemoryError",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djdk.nio.maxCachedBufferSize=1048576",
                "-Dio.netty.leakDetection.level=disabled",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(main);
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("the %s cannot be started".formatted(role), e);
        }
        ChildJvm child = new ChildJvm(role, process);
        try {
            child.greeting = child.await(ready, START);
            child.connect();
            return child;
        } catch (IOException | RuntimeException | InterruptedException e) {
            child.close();
            if (e instanceof InterruptedException interrupted) {
                throw interrupted;
            }
            throw new KvernException("the %s did not start; see %s".formatted(role, log), e);
        }
    }

    /** The suppression: the address is what the child's own agent answered, and the child is our own program. */
    @SuppressWarnings("BanJNDI")
    private void connect() throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(process.pid()));
            try {
                JMXConnector connector =
                        JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
                management = connector;
                meter = new JvmMeter(role, process.pid(), connector.getMBeanServerConnection());
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("no JVM to attach to at process " + process.pid(), e);
        }
    }

    private void readLines() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(out::add);
        } catch (IOException | UncheckedIOException e) {
            out.add("ended: " + e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public Metered meter() {
        return Objects.requireNonNull(meter, "the child has started");
    }

    /** The line that said it was up. */
    Matcher greeting() {
        return Objects.requireNonNull(greeting, "the child has started");
    }

    /** Sends a line. */
    public void tell(String line) {
        try {
            in.write(line);
            in.newLine();
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the %s does not listen any more".formatted(role), e);
        }
    }

    /**
     * The next line in which the pattern is found; lines before it are passed over.
     *
     * @throws KvernException where none came in time, or the process ended
     */
    public Matcher await(Pattern pattern, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (deadline - System.nanoTime() > 0) {
            String line = out.poll(50, TimeUnit.MILLISECONDS);
            if (line == null) {
                if (!process.isAlive() && out.isEmpty()) {
                    throw new KvernException("the %s ended with code %d".formatted(role, process.exitValue()));
                }
                continue;
            }
            Matcher found = pattern.matcher(line);
            if (found.find()) {
                return found;
            }
        }
        throw new KvernException("the %s said nothing like '%s' within %s".formatted(role, pattern, patience));
    }

    /** SIGTERM, and where that does not help SIGKILL. */
    @Override
    public void close() {
        JMXConnector connector = management;
        if (connector != null) {
            try {
                connector.close();
            } catch (IOException e) {
                LOG.debug("the {} ended before its meter", role, e);
            }
        }
        process.destroy();
        try {
            if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
