package io.kvern.broker;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.FaultHandlerFactory;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.SharedServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.ServerSocketFactory;
import org.apache.kafka.server.fault.LoggingFaultHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka broker and its controller (KRaft) inside this JVM, over a directory of its own. Started again on the same
 * directory it serves the same topics. It needs about 1 GiB of heap beside what its clients in the JVM use.
 *
 * <p>Kafka never ends the JVM: a fatal fault completes {@link #failure()} and is logged, and the broker is to be closed.
 * Its log is loud at INFO; the loggers {@code kafka}, {@code org.apache.kafka} and {@code state.change.logger} are best left
 * at WARN or above. Every method is safe in any thread.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);
    private static final Duration CONTROLLED_SHUTDOWN_LIMIT = Duration.ofSeconds(10);

    private final BrokerConfig config;
    private final DirectoryLock lock;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final Consumer<Throwable> onExit = this::fail;
    private final ControllerServer controller;
    private final BrokerServer broker;
    private volatile boolean closed;

    private EmbeddedBroker(BrokerConfig config, DirectoryLock lock) throws Exception {
        this.config = config;
        this.lock = lock;
        // A directory below the lock's: Kafka takes every directory that it finds in its own for a partition.
        Path logDir = config.dataDir().resolve("kafka");
        format(logDir);
        KafkaConfig kafka = KafkaConfig.fromProps(BrokerSettings.of(config, logDir), false);
        var directories = KafkaRaftServer.initializeLogDirs(kafka, LOG, "");
        var voters = new CompletableFuture<Map<Integer, InetSocketAddress>>();
        FaultHandlerFactory faults = (name, fatal, action) -> new LoggingFaultHandler(name, () -> {
            action.run();
            if (fatal) {
                fail(new BrokerException("fatal fault of Kafka's " + name + "; its log says why"));
            }
        });
        SharedServer shared = new SharedServer(
                kafka,
                directories._1(),
                Time.SYSTEM,
                new Metrics(),
                voters,
                List.of(),
                faults,
                ServerSocketFactory.INSTANCE);
        controller = new ControllerServer(shared, KafkaRaftServer.configSchema(), directories._2());
        broker = new BrokerServer(shared);
        var unused = controller.socketServerFirstBoundPortFuture().whenComplete((bound, error) -> {
            if (error != null) {
                voters.completeExceptionally(error);
            } else {
                voters.complete(Map.of(
                        BrokerSettings.NODE_ID, new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), bound)));
            }
        });
    }

    /**
     * Starts a broker; about 2 seconds the first time in a JVM.
     *
     * @throws BrokerException if the directory cannot be used or is in use, the port is taken, or a setting is wrong; nothing
     *     stays open then
     */
    public static EmbeddedBroker start(BrokerConfig config) {
        DirectoryLock lock = DirectoryLock.acquire(config.dataDir());
        EmbeddedBroker started;
        try {
            started = new EmbeddedBroker(config, lock);
        } catch (Exception e) {
            release(lock);
            throw explained(config, e);
        }
        ExitGuard.register(started.onExit);
        try {
            started.controller.startup();
            started.broker.startup();
        } catch (Exception | Error e) {
            started.close();
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            throw explained(config, started.failure.isDone() ? started.failure.resultNow() : e);
        }
        return started;
    }

    /** Where clients connect: {@code host:port}. */
    public String bootstrapServers() {
        String host = BrokerConfig.wildcard(config.host()) ? "127.0.0.1" : config.host();
        return BrokerSettings.bracketed(host) + ":" + port();
    }

    /** The port that it listens on. */
    public int port() {
        return broker.boundPort(new ListenerName(BrokerSettings.LISTENER));
    }

    /** Completes with the reason when the broker has met a fault that it cannot serve on from; never otherwise. */
    public CompletableFuture<Throwable> failure() {
        return failure.copy();
    }

    /** Whether it is open and no fatal fault is known. */
    public boolean alive() {
        return !closed && !failure.isDone();
    }

    /**
     * Stops the broker, leaving its log clean. Returns after {@code 30 s} at the latest, said in the log if something is
     * still running then. Harmless when called again.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        Thread stopper = Thread.ofPlatform().daemon().name("kvern-broker-stop").start(this::stop);
        boolean interrupted = false;
        long deadline = System.nanoTime() + CLOSE_LIMIT.toNanos();
        while (stopper.isAlive() && System.nanoTime() < deadline) {
            try {
                stopper.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            } catch (InterruptedException e) {
                interrupted = true; // a half-stopped broker would hold its directory; stopping is bounded anyway
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (stopper.isAlive()) {
            LOG.error(
                    "broker at {} has not stopped within {}; its threads are left behind",
                    config.dataDir(),
                    CLOSE_LIMIT);
        }
    }

    private void stop() {
        // Nobody may be left who could approve an orderly end.
        Duration orderly = failure.isDone() ? Duration.ZERO : CONTROLLED_SHUTDOWN_LIMIT;
        quietly("broker", () -> broker.shutdown(orderly));
        quietly("controller", controller::shutdown);
        ExitGuard.unregister(onExit);
        release(lock);
    }

    private static void quietly(String what, Runnable shutdown) {
        try {
            shutdown.run();
        } catch (RuntimeException e) {
            LOG.warn("stopping the {} met an error", what, e);
        }
    }

    private void fail(Throwable reason) {
        if (failure.complete(reason)) {
            LOG.error("broker at {} has failed", config.dataDir(), reason);
        }
    }

    private static void format(Path logDir) throws Exception {
        if (Files.exists(logDir.resolve("meta.properties"))) {
            return;
        }
        Files.createDirectories(logDir);
        new Formatter()
                .setClusterId(Uuid.randomUuid().toString())
                .setNodeId(BrokerSettings.NODE_ID)
                .addDirectory(logDir.toString())
                .setControllerListenerName(BrokerSettings.CONTROLLER_LISTENER)
                .setMetadataLogDirectory(logDir.toString())
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false))
                .run();
    }

    private static BrokerException explained(BrokerConfig config, Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException) {
                return new BrokerException(
                        "broker cannot listen on %s:%d: %s".formatted(config.host(), config.port(), cause.getMessage()),
                        error);
            }
            if (cause instanceof UnresolvedAddressException) {
                return new BrokerException("broker host %s cannot be resolved".formatted(config.host()), error);
            }
            if (cause instanceof ConfigException) {
                return new BrokerException("broker setting is wrong: " + cause.getMessage(), error);
            }
        }
        return new BrokerException("broker at %s cannot start: %s".formatted(config.dataDir(), error), error);
    }

    private static void release(DirectoryLock lock) {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("the lock of the broker's directory could not be released", e);
        }
    }
}
