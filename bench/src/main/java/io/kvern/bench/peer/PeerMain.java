package io.kvern.bench.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The peer process: a task a line on standard input. It says {@code ready PORT} when it can begin (0 without a port), and
 * {@code done BYTES NANOS} when a task that ends has ended.
 */
public final class PeerMain {
    private PeerMain() {}

    public static void main(String[] args) throws IOException {
        KafkaPeer kafka = new KafkaPeer(args[0]);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        say("peer is ready");
        AutoCloseable serving = () -> {};
        for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ", -1);
            close(serving);
            serving = () -> {};
            switch (words[0]) {
                case "consume-end" -> kafka.consumeFromEnd(words[1], Long.parseLong(words[2]));
                case "consume-all" -> kafka.consumeAll(words[1]);
                case "produce" ->
                    kafka.produce(
                            words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]), () -> awaitGo(lines));
                case "serve" -> {
                    FileServer server = FileServer.start(Path.of(words[1]));
                    serving = server;
                    ready(server.port());
                }
                case "echo" -> {
                    EchoServer server = EchoServer.start(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                    serving = server;
                    ready(server.port());
                }
                default -> throw new IllegalArgumentException("unknown task: " + line);
            }
        }
        // The run has closed its end, and waits for nothing any more.
        System.exit(0);
    }

    private static void awaitGo(BufferedReader lines) {
        try {
            String line = lines.readLine();
            if (!"go".equals(line)) {
                throw new IllegalStateException("'go' was expected, and not: " + line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void ready(int port) {
        say("ready " + port);
    }

    static void done(long bytes, long nanos) {
        say("done " + bytes + " " + nanos);
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static void close(AutoCloseable served) {
        try {
            served.close();
        } catch (Exception e) {
            throw new IllegalStateException("a server of the peer does not stop", e);
        }
    }
}
