package io.kvern.app.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code kvern store}, or another command that stays, in a process of its own, which a test may kill. */
final class StoreProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("is ready: redis (\\S+):(\\d+)");

    private final Process process;
    private final Path out;

    private StoreProcess(Process process, Path out) {
        this.process = process;
        this.out = out;
    }

    /**
     * Starts the node; it may still be restoring when this returns.
     *
     * @param log where its output goes; appended
     */
    static StoreProcess start(String bootstrap, Path dataDir, Path log, List<String> settings) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "store",
                "--bootstrap-servers",
                bootstrap,
                "--data-dir",
                dataDir.toString(),
                "--listen",
                "127.0.0.1:0"));
        for (String setting : settings) {
            arguments.add("--set");
            arguments.add(setting);
        }
        return start(arguments, log, 384);
    }

    /** Starts {@code kvern} with these arguments. */
    static StoreProcess start(List<String> arguments, Path log, int heapMebibytes) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMebibytes + "m",
                "-XX:MaxDirectMemorySize=512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.kvern.app.Main"));
        command.addAll(arguments);
        Path out = Files.createTempFile(log.getParent(), "store", ".out");
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectOutput(out.toFile())
                .start();
        return new StoreProcess(process, out);
    }

    /** What it has written to standard output. */
    String output() throws IOException {
        return Files.readString(out);
    }

    /** The port of its door, once it has said that it is ready. */
    int awaitPort(long seconds) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < deadline) {
            Matcher ready = READY.matcher(Files.readString(out));
            if (ready.find()) {
                return Integer.parseInt(ready.group(2));
            }
            if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the store process ended with code " + process.exitValue());
            }
        }
        throw new IllegalStateException("the store process was not ready within " + seconds + " s");
    }

    /** SIGKILL: no hook runs, nothing is flushed. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** SIGTERM; answers the exit code. */
    int stop(long seconds) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the store process did not stop within " + seconds + " s of SIGTERM");
        }
        return process.exitValue();
    }

    int awaitExit(long seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the store process did not end within " + seconds + " s");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
    }
}
