package io.kvern.worker.load;

import io.kvern.model.InvalidInputException;
import io.kvern.model.Namespace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * How a {@link BlockLoader} reaches the store.
 *
 * @param namespace whose blocks are loaded; it is the user that each connection names
 * @param password goes with it; empty for none
 * @param endpoints wire doors of store nodes, 1 to {@value #MAX_ENDPOINTS}; their names are resolved at each connect
 * @param socketsPerEndpoint connections, and threads, per node, 1 to {@value #MAX_SOCKETS}; opened when there is work
 * @param pipelineDepth requests that wait for replies on one socket, 1 to {@value #MAX_DEPTH}
 * @param maxQueuedBlocks blocks that may wait for a socket of one node, all loads together; beyond it they are refused
 * @param connectTimeout until a connection is open and its user accepted
 * @param stallTimeout a node that owes a reply and sends no byte for so long is given up, and others are asked
 * @param retryPause between rounds in which no node was sure of a block
 * @param receiveBufferBytes size of each socket's receive buffer, 0 to leave it to the system
 */
public record LoaderConfig(
        Namespace namespace,
        String password,
        List<InetSocketAddress> endpoints,
        int socketsPerEndpoint,
        int pipelineDepth,
        int maxQueuedBlocks,
        Duration connectTimeout,
        Duration stallTimeout,
        Duration retryPause,
        int receiveBufferBytes) {
    static final int MAX_ENDPOINTS = 1024;
    static final int MAX_SOCKETS = 64;
    static final int MAX_DEPTH = 256;

    public LoaderConfig {
        endpoints = List.copyOf(endpoints);
        within("number of endpoints", endpoints.size(), 1, MAX_ENDPOINTS);
        within("socketsPerEndpoint", socketsPerEndpoint, 1, MAX_SOCKETS);
        within("pipelineDepth", pipelineDepth, 1, MAX_DEPTH);
        within("maxQueuedBlocks", maxQueuedBlocks, 1, 1 << 20);
        within("connectTimeout in ms", millis(connectTimeout), 1, 600_000);
        within("stallTimeout in ms", millis(stallTimeout), 1, 600_000);
        within("retryPause in ms", millis(retryPause), 1, 60_000);
        within("receiveBufferBytes", receiveBufferBytes, 0, 1 << 30);
    }

    /** The defaults: 4 sockets per node, 16 requests on each, connect 1 s, stall 2 s, pause 10 ms, the system's buffers. */
    public static LoaderConfig of(Namespace namespace, List<InetSocketAddress> endpoints) {
        return new LoaderConfig(
                namespace,
                "",
                endpoints,
                4,
                16,
                1 << 16,
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofMillis(10),
                0);
    }

    public LoaderConfig withPassword(String secret) {
        return new LoaderConfig(
                namespace,
                secret,
                endpoints,
                socketsPerEndpoint,
                pipelineDepth,
                maxQueuedBlocks,
                connectTimeout,
                stallTimeout,
                retryPause,
                receiveBufferBytes);
    }

    public LoaderConfig withSockets(int perEndpoint, int depth) {
        return new LoaderConfig(
                namespace,
                password,
                endpoints,
                perEndpoint,
                depth,
                maxQueuedBlocks,
                connectTimeout,
                stallTimeout,
                retryPause,
                receiveBufferBytes);
    }

    public LoaderConfig withTimeouts(Duration connect, Duration stall) {
        return new LoaderConfig(
                namespace,
                password,
                endpoints,
                socketsPerEndpoint,
                pipelineDepth,
                maxQueuedBlocks,
                connect,
                stall,
                retryPause,
                receiveBufferBytes);
    }

    private static long millis(Duration duration) {
        return duration.compareTo(Duration.ofDays(1)) > 0 ? Long.MAX_VALUE : duration.toMillis();
    }

    private static void within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new InvalidInputException(
                    "loader's %s is %d; %d to %d are allowed".formatted(name, value, least, most));
        }
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "LoaderConfig[namespace=%s, endpoints=%s, socketsPerEndpoint=%d, pipelineDepth=%d]"
                .formatted(namespace.name(), endpoints, socketsPerEndpoint, pipelineDepth);
    }
}
