package io.kvern.app.node;

import io.kvern.model.InvalidInputException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * An address as a person writes it: {@code HOST:PORT}, an IPv6 host in brackets.
 *
 * @param port 0 to 65535
 */
public record HostPort(String host, int port) {
    /**
     * @param setting named in the error
     */
    public static HostPort parse(String text, String setting) {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (colon > 0 && port >= 0 && port <= 65535) {
                String host = text.substring(0, colon);
                return new HostPort(
                        host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host, port);
            }
        } catch (NumberFormatException e) {
            throw wrong(text, setting, e);
        }
        throw wrong(text, setting, null);
    }

    private static InvalidInputException wrong(String text, String setting, @Nullable Throwable cause) {
        InvalidInputException wrong = new InvalidInputException(
                "%s is '%s'; HOST:PORT with a port from 0 to 65535 is needed".formatted(setting, text));
        if (cause != null) {
            wrong.initCause(cause);
        }
        return wrong;
    }

    public InetSocketAddress resolve() {
        return new InetSocketAddress(host, port);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
