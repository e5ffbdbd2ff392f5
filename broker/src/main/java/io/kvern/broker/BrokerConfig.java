package io.kvern.broker;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Where an embedded broker lives and how it is reached.
 *
 * @param dataDir its own directory, made if absent; what was written to it before is served again
 * @param host address or host name to listen on; clients are told the same one. A wildcard address needs the override
 *     {@code advertised.listeners}
 * @param port to listen on, 0 to 65535; 0 takes any free one
 * @param overrides Kafka broker settings that replace the ones chosen here
 */
public record BrokerConfig(Path dataDir, String host, int port, Map<String, String> overrides) {
    private static final int MAX_PORT = 65535;

    /** @throws BrokerException if the port or the host is impossible */
    public BrokerConfig {
        dataDir = dataDir.toAbsolutePath().normalize();
        overrides = Map.copyOf(overrides);
        if (host.isBlank()) {
            throw new BrokerException("broker host is empty; an address to listen on is needed");
        }
        if (port < 0 || port > MAX_PORT) {
            throw new BrokerException("broker port is %d; 0 to %d are possible".formatted(port, MAX_PORT));
        }
        if (dataDir.toString().indexOf(',') >= 0) {
            throw new BrokerException(
                    "data directory %s has a comma in its name; Kafka would take it for two (setting log.dirs)"
                            .formatted(dataDir));
        }
        if (wildcard(host) && !overrides.containsKey("advertised.listeners")) {
            throw new BrokerException(
                    "broker host %s means every address, so clients must be told one they can reach".formatted(host)
                            + " (setting advertised.listeners)");
        }
    }

    /** On the loopback address, at a free port. */
    public static BrokerConfig of(Path dataDir) {
        return new BrokerConfig(dataDir, "127.0.0.1", 0, Map.of());
    }

    /** The same, at {@code fixed} instead. */
    public BrokerConfig withPort(int fixed) {
        return new BrokerConfig(dataDir, host, fixed, overrides);
    }

    /** The same, with {@code more} settings on top. */
    public BrokerConfig with(Map<String, String> more) {
        var merged = new HashMap<>(overrides);
        merged.putAll(more);
        return new BrokerConfig(dataDir, host, port, merged);
    }

    static boolean wildcard(String host) {
        return host.equals("0.0.0.0") || host.equals("::") || host.equals("[::]");
    }
}
