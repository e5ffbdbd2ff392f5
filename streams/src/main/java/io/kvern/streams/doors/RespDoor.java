package io.kvern.streams.doors;

import io.kvern.ingest.BlockPut;
import io.kvern.ingest.Publication;
import io.kvern.ingest.PublishOutcome;
import io.kvern.model.BlockKey;
import io.kvern.resp.server.RespServer;
import io.kvern.resp.server.RespServerStats;
import io.kvern.streams.NodeView;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The Redis-speaking door of a store node. Reads come from the node's store; writes go to the log, and are answered when
 * the node has applied them. Opened after the node, closed before it.
 */
public final class RespDoor implements AutoCloseable {
    private final RespServer server;

    private RespDoor(DoorConfig config, NodeView node, LogWriter log) {
        CompletableFuture<RespServer> started = new CompletableFuture<>();
        CommandTable table = new CommandTable(config, node, log, started::join);
        AtomicLong ids = new AtomicLong();
        this.server = RespServer.start(config.server(), () -> new DoorSession(table, ids.incrementAndGet()));
        started.complete(server);
    }

    /**
     * Listens.
     *
     * @throws io.kvern.model.KvernException if the address cannot be listened on
     */
    public static RespDoor open(DoorConfig config, NodeView node) {
        return open(config, node, new LogWriter() {
            @Override
            public Publication publish(BlockPut put, ByteBuffer payload) {
                return node.publisher().publish(put, payload);
            }

            @Override
            public CompletableFuture<PublishOutcome> remove(BlockKey key) {
                return node.publisher().remove(key);
            }
        });
    }

    static RespDoor open(DoorConfig config, NodeView node, LogWriter log) {
        return new RespDoor(config, node, log);
    }

    /** The port listened on. */
    public int port() {
        return server.port();
    }

    public RespServerStats stats() {
        return server.stats();
    }

    /** Takes no more clients and commands, answers those that came, then closes; 5 s at most, and a moment. */
    @Override
    public void close() {
        server.close();
    }

    /** {@link #close()} with a deadline of the caller's. */
    public void close(Duration deadline) {
        server.close(deadline);
    }
}
