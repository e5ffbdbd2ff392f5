package io.kvern.app.cli;

import io.kvern.app.node.HostPort;
import io.kvern.model.CacheSpec;
import io.kvern.model.Namespace;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.LoaderConfig;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** How a command reaches a node. */
final class NodeOptions {
    @Option(
            names = {"-n", "--node"},
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:6390",
            description = "The node's door. Default: ${DEFAULT-VALUE}.")
    private String node = "127.0.0.1:6390";

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "How long to wait for the answer. Default: ${DEFAULT-VALUE}.")
    private int seconds = 10;

    Duration timeout() {
        return Duration.ofSeconds(Math.max(1, seconds));
    }

    HostPort address() {
        return HostPort.parse(node, "--node");
    }

    /** Blocks of the command line are opaque: their ids say everything. */
    static Namespace namespace(String name) {
        return Namespace.of(name, new CacheSpec.Opaque());
    }

    BlockLoader loader(Namespace namespace) {
        return new BlockLoader(LoaderConfig.of(namespace, List.of(address().resolve()))
                .withSockets(1, 1)
                .withTimeouts(timeout(), timeout()));
    }

    /** A connection as this namespace. */
    Jedis redis(String namespace) {
        int millis = Math.toIntExact(timeout().toMillis());
        try {
            return new Jedis(
                    new HostAndPort(address().host(), address().port()),
                    DefaultJedisClientConfig.builder()
                            .connectionTimeoutMillis(millis)
                            .socketTimeoutMillis(millis)
                            .user(namespace)
                            .password("")
                            .build());
        } catch (JedisConnectionException e) {
            throw away(e);
        }
    }

    UnavailableException away(Exception cause) {
        return new UnavailableException(
                "no node answers at %s within %d s (--node, --timeout): %s"
                        .formatted(address(), timeout().toSeconds(), cause.getMessage()),
                cause);
    }
}
