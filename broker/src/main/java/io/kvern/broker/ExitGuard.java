package io.kvern.broker;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.internals.Exit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps Kafka from ending the JVM. Where a broker of its own process would exit or halt (every log directory lost, for
 * one), the brokers of this JVM are told instead, and the asking thread ends.
 *
 * <p>Kafka's exit procedures are one for the whole JVM and do not say which broker asks; with several brokers all are told.
 */
final class ExitGuard {
    private static final Logger LOG = LoggerFactory.getLogger(ExitGuard.class);

    private static final Set<Consumer<Throwable>> BROKERS = ConcurrentHashMap.newKeySet();

    private ExitGuard() {}

    /** From now on {@code broker} hears of every wish to exit. */
    static synchronized void register(Consumer<Throwable> broker) {
        BROKERS.add(broker);
        Exit.setExitProcedure((status, message) -> refuse("exit", status, message));
        Exit.setHaltProcedure((status, message) -> refuse("halt", status, message));
    }

    /** The procedures stay: a thread of a closed broker may still ask, and the JVM is not its to end. */
    static void unregister(Consumer<Throwable> broker) {
        BROKERS.remove(broker);
    }

    private static void refuse(String verb, int status, String message) {
        BrokerException wish = new BrokerException("Kafka wants to %s the process with status %d: %s"
                .formatted(verb, status, message == null ? "no reason given, see its log" : message));
        if (BROKERS.isEmpty()) {
            LOG.error("a broker that is closed already, or was never open", wish);
        }
        BROKERS.forEach(broker -> broker.accept(wish));
        // The caller does not expect to come back.
        throw wish;
    }
}
