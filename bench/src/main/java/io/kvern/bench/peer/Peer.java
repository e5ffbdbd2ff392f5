package io.kvern.bench.peer;

import io.kvern.bench.site.ChildJvm;
import io.kvern.bench.site.Metered;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The run's handle on the peer process. One thread; one task at a time. */
public final class Peer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Pattern READY = Pattern.compile("^ready (\\d+)$");
    private static final Pattern DONE = Pattern.compile("^done (\\d+) (\\d+)$");

    private final ChildJvm process;

    private Peer(ChildJvm process) {
        this.process = process;
    }

    /** How much the peer moved, and how long it took by its own clock. */
    public record Done(long bytes, long nanos) {}

    public static Peer start(List<String> jvm, String bootstrap, Path log) throws InterruptedException {
        return new Peer(ChildJvm.start(
                "peer", jvm, List.of(PeerMain.class.getName(), bootstrap), Pattern.compile("^peer is ready$"), log));
    }

    public Metered meter() {
        return process.meter();
    }

    /**
     * Lets it consume a topic from its end on and throw the records away; returns when it stands there.
     *
     * @param bytes values after which it is done
     */
    public void consumeFromEnd(String topic, long bytes) throws InterruptedException {
        start("consume-end " + topic + " " + bytes);
    }

    /** Lets it consume what a topic holds, first record to last, and throw it away. */
    public Done consumeAll(String topic) throws InterruptedException {
        start("consume-all " + topic + " 0");
        return awaitDone();
    }

    /** Lets it prepare to publish {@code records} values of {@code bytes} each, which it does at {@link #go}. */
    public void prepareToProduce(String topic, int records, int bytes) throws InterruptedException {
        start("produce " + topic + " " + records + " " + bytes);
    }

    /** It may begin. */
    public void go() {
        process.tell("go");
    }

    /** Lets it serve the data files of a directory; answers the port. Serves until the next task. */
    public int serve(Path directory) throws InterruptedException {
        return start("serve " + directory);
    }

    /** Lets it send {@code replyBytes} back for each request of {@code requestBytes}; answers the port. */
    public int echo(int requestBytes, int replyBytes) throws InterruptedException {
        return start("echo " + requestBytes + " " + replyBytes);
    }

    private int start(String task) throws InterruptedException {
        process.tell(task);
        return Integer.parseInt(process.await(READY, PATIENCE).group(1));
    }

    /** When it has done what it was told. */
    public Done awaitDone() throws InterruptedException {
        Matcher done = process.await(DONE, PATIENCE);
        return new Done(Long.parseLong(done.group(1)), Long.parseLong(done.group(2)));
    }

    @Override
    public void close() {
        process.close();
    }
}
