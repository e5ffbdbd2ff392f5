package io.kvern.bench.site;

import io.kvern.bench.report.ProcessRow;
import io.kvern.model.KvernException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Debian's redis-server, where there is one: values in memory, nothing on disk. */
public final class RedisServer implements AutoCloseable {
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Process process;
    private final InetSocketAddress address;
    private final String version;

    private RedisServer(Process process, InetSocketAddress address, String version) {
        this.process = process;
        this.address = address;
        this.version = version;
    }

    /** Starts it, or answers nothing where it is not installed. */
    public static Optional<RedisServer> start(Path dir) {
        Path program = Path.of("/usr/bin/redis-server");
        if (!program.toFile().canExecute()) {
            return Optional.empty();
        }
        int port = freePort();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try {
            Process process = new ProcessBuilder(List.of(
                            program.toString(),
                            "--port",
                            Integer.toString(port),
                            "--bind",
                            address.getAddress().getHostAddress(),
                            "--save",
                            "",
                            "--appendonly",
                            "no",
                            "--dir",
                            dir.toString()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            dir.resolve("processes.log").toFile()))
                    .start();
            return Optional.of(new RedisServer(process, address, awaitVersion(process, address)));
        } catch (IOException e) {
            throw new UncheckedIOException("redis-server cannot be started", e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port", e);
        }
    }

    private static String awaitVersion(Process process, InetSocketAddress address) {
        long deadline = System.nanoTime() + START_NANOS;
        while (true) {
            try (Jedis redis = new Jedis(address.getHostString(), address.getPort())) {
                return redis.info("server")
                        .lines()
                        .filter(line -> line.startsWith("redis_version:"))
                        .map(line -> line.substring(14).strip())
                        .findFirst()
                        .orElse("?");
            } catch (JedisConnectionException e) {
                if (!process.isAlive() || deadline - System.nanoTime() < 0) {
                    process.destroyForcibly();
                    throw new KvernException("redis-server did not start", e);
                }
                Thread.onSpinWait();
            }
        }
    }

    public InetSocketAddress address() {
        return address;
    }

    public String version() {
        return version;
    }

    public Metered meter() {
        return new Metered() {
            @Override
            public String role() {
                return "redis";
            }

            @Override
            public long pid() {
                return process.pid();
            }

            @Override
            public boolean isJvm() {
                return false;
            }

            @Override
            public double cpuSeconds() {
                return ProcFs.cpuSeconds(process.pid());
            }

            @Override
            public long allocatedBytes() {
                return 0;
            }

            @Override
            public ProcessRow row(String during) {
                return new ProcessRow(role(), during, 0, 0, ProcFs.peakRssBytes(process.pid()), cpuSeconds());
            }
        };
    }

    @Override
    public void close() {
        process.destroy();
    }
}
