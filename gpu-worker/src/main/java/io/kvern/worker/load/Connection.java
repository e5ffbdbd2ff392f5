package io.kvern.worker.load;

import io.kvern.model.CacheSpec;
import io.kvern.model.Namespace;
import io.kvern.resp.client.MalformedReplyException;
import io.kvern.resp.client.ReplyScanner;
import io.kvern.resp.client.RequestWriter;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A non-blocking connection with requests in flight, answered in their order. Nothing here waits. One thread.
 *
 * <p>States: connecting, then waiting for AUTH's reply, then open. Requests wait until it is open.
 */
final class Connection {
    /** How long a request waits behind a slower one before it goes to a connection that has nothing to do. */
    private static final long FOLLOWER_NANOS = 100_000_000;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final LoaderConfig config;
    private final Buffers buffers;
    private final ReplyScanner scanner = new ReplyScanner();

    private final ArrayDeque<Exchange> unsent = new ArrayDeque<>();
    private final ArrayDeque<Exchange> waiting = new ArrayDeque<>();
    private final ByteBuffer auth;

    private boolean connected;
    private boolean open;
    private boolean answered;
    private boolean lastReply;
    /** When the connection was begun, when the last bytes moved, or when it became busy: {@link System#nanoTime()}. */
    private long progressAt = System.nanoTime();
    /** Since when the server has been busy with the first exchange in flight. */
    private long headSince = progressAt;

    /** Small buffers of a lane, reused by its next connection. Both are between uses in the state that {@code clear} leaves. */
    record Buffers(ByteBuffer in, ByteBuffer out) {
        Buffers() {
            // A short header buffer: what it holds of a payload is copied once more.
            this(ByteBuffer.allocateDirect(2 * ReplyScanner.MAX_LINE_BYTES), ByteBuffer.allocateDirect(16 << 10));
        }
    }

    private Connection(SocketChannel channel, SelectionKey key, LoaderConfig config, Buffers buffers) {
        this.channel = channel;
        this.key = key;
        this.config = config;
        this.buffers = buffers;
        this.auth = RequestWriter.request("AUTH", List.of(utf8(user(config.namespace())), utf8(config.password())));
        buffers.in().clear();
        buffers.out().clear();
    }

    /** Begins to connect. */
    static Connection open(LoaderConfig config, InetSocketAddress address, Selector selector, Buffers buffers)
            throws IOException {
        // Resolved anew: a node that comes back may have another address.
        InetSocketAddress target = new InetSocketAddress(address.getHostString(), address.getPort());
        if (target.isUnresolved()) {
            target = address;
        }
        if (target.isUnresolved()) {
            throw new UnknownHostException("host name cannot be resolved");
        }
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            if (config.receiveBufferBytes() > 0) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, config.receiveBufferBytes());
            }
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            Connection connection = new Connection(channel, key, config, buffers);
            connection.connected = channel.connect(target);
            return connection;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** The name alone stands for its opaque spec, unless it would be taken for a name with a fingerprint. */
    private static String user(Namespace namespace) {
        return namespace.spec() instanceof CacheSpec.Opaque && namespace.name().indexOf('#') < 0
                ? namespace.name()
                : namespace.name() + "#" + namespace.fingerprint();
    }

    private static ByteBuffer utf8(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    int inFlight() {
        return unsent.size() + waiting.size();
    }

    boolean hasSpace() {
        return !lastReply && inFlight() < config.pipelineDepth();
    }

    /** Nanoseconds until {@link #followersWait} becomes true, or {@link Long#MAX_VALUE}. */
    long followersPatience(long now) {
        return open && !waiting.isEmpty() && inFlight() > 1 ? headSince + FOLLOWER_NANOS - now : Long.MAX_VALUE;
    }

    /** Whether requests have waited for long behind one that the server does not get done with. */
    boolean followersWait(long now) {
        return followersPatience(now) <= 0;
    }

    /** Hands back all but the first in flight. The reply to that one is the last that is read here. */
    List<Exchange> letFollowersGo() {
        Exchange head = waiting.removeFirst();
        List<Exchange> followers = inOrder();
        waiting.addLast(head);
        lastReply = true;
        return followers;
    }

    boolean isOpen() {
        return open;
    }

    /** Whether any reply has come. */
    boolean hasAnswered() {
        return answered;
    }

    /** Whether something is in flight that nobody waits for any more. */
    boolean hasAbandoned() {
        for (Exchange exchange : waiting) {
            if (exchange.abandoned()) {
                return true;
            }
        }
        return false;
    }

    void add(Exchange exchange) {
        if (open && inFlight() == 0) {
            progressAt = System.nanoTime();
            headSince = progressAt;
        }
        unsent.addLast(exchange);
    }

    /** Sends what the socket takes, and asks the selector for what the connection waits for. */
    void send() throws IOException {
        boolean blocked = connected && (auth.hasRemaining() ? !sent(auth) : open && !sendRequests());
        int wanted = connected ? SelectionKey.OP_READ | (blocked ? SelectionKey.OP_WRITE : 0) : SelectionKey.OP_CONNECT;
        if (key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }

    private boolean sendRequests() throws IOException {
        ByteBuffer out = buffers.out();
        while (true) {
            while (!lastReply && !unsent.isEmpty() && unsent.getFirst().write(out)) {
                waiting.addLast(unsent.removeFirst());
            }
            if (out.position() == 0) {
                return true;
            }
            out.flip();
            boolean all = sent(out);
            out.compact();
            if (!all) {
                return false;
            }
        }
    }

    private boolean sent(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                return false;
            }
            progressAt = System.nanoTime();
        }
        return true;
    }

    /**
     * Goes on with connecting, or reads until there are no bytes or an exchange has ended.
     *
     * @throws IOException where the connection is of no more use
     */
    void proceed() throws IOException {
        if (!connected) {
            connected = channel.finishConnect();
            return;
        }
        ByteBuffer in = buffers.in();
        boolean ended = false;
        while (!ended) {
            Exchange head = waiting.peekFirst();
            long count = head != null && head.wantsPayload() ? head.receive(channel, in) : channel.read(in);
            if (count < 0) {
                throw new EOFException("the server closed the connection");
            }
            if (count == 0) {
                return;
            }
            progressAt = System.nanoTime();
            in.flip();
            ended = parse(in);
            in.compact();
        }
    }

    private boolean parse(ByteBuffer in) throws IOException {
        boolean ended = false;
        while (in.hasRemaining()) {
            if (!open) {
                open = authenticated(in);
                headSince = progressAt;
                return false;
            }
            Exchange head = waiting.peekFirst();
            if (head == null) {
                throw new MalformedReplyException("a reply came that nothing was asked for");
            }
            Outcome outcome = head.advance(scanner, in);
            if (outcome == null) {
                return ended;
            }
            waiting.removeFirst();
            answered = true;
            ended = true;
            headSince = progressAt;
            head.end(outcome);
            if (outcome instanceof Outcome.TooLong tooLong && !tooLong.drained()) {
                throw new AbandonedException("a block of %d bytes was left unread".formatted(tooLong.length()));
            }
            if (lastReply) {
                throw new AbandonedException("what was asked behind a slow reply is asked elsewhere");
            }
        }
        return ended;
    }

    private boolean authenticated(ByteBuffer in) throws IOException {
        return switch (scanner.next(in)) {
            case INCOMPLETE -> false;
            case SIMPLE -> true;
            case ERROR -> throw new NotAdmittedException(scanner.text());
            default -> throw new MalformedReplyException("AUTH was answered by neither OK nor an error");
        };
    }

    /** Nanoseconds until {@link #overdue} may say something, or {@link Long#MAX_VALUE} where nothing is owed. */
    long patience(long now) {
        if (open && inFlight() == 0) {
            return Long.MAX_VALUE;
        }
        long allowed =
                open ? config.stallTimeout().toNanos() : config.connectTimeout().toNanos();
        return progressAt + allowed - now;
    }

    /** What the server owes for too long, or null. */
    @Nullable
    String overdue(long now) {
        if (patience(now) > 0) {
            return null;
        }
        return open
                ? "sent no byte of a reply for %d ms"
                        .formatted(config.stallTimeout().toMillis())
                : "did not accept the connection and its user within %d ms"
                        .formatted(config.connectTimeout().toMillis());
    }

    /** Closes, and hands back what was in flight, in order. The first one is what the server was busy with. */
    List<Exchange> close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The socket goes either way, and there is nobody to tell: whoever closes has a reason of its own.
        }
        return inOrder();
    }

    private List<Exchange> inOrder() {
        List<Exchange> all = new ArrayList<>(waiting);
        all.addAll(unsent);
        waiting.clear();
        unsent.clear();
        return all;
    }
}
