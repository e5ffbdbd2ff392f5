package io.kvern.broker;

import java.nio.file.Path;
import java.util.Properties;

/** The settings of a single broker that is its own controller, sized for records of half a MiB in a heap of 1 GiB. */
final class BrokerSettings {
    static final String LISTENER = "PLAINTEXT";
    static final String CONTROLLER_LISTENER = "CONTROLLER";
    static final int NODE_ID = 1;

    private static final int MIB = 1 << 20;

    private BrokerSettings() {}

    static Properties of(BrokerConfig config, Path logDir) {
        Properties settings = new Properties();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", Integer.toString(NODE_ID));
        // Controller and broker meet at a port that is known only once it is bound, and is handed over in the JVM.
        settings.put("controller.quorum.voters", NODE_ID + "@0.0.0.0:0");
        settings.put("controller.listener.names", CONTROLLER_LISTENER);
        settings.put(
                "listeners",
                LISTENER + "://" + bracketed(config.host()) + ":" + config.port() + "," + CONTROLLER_LISTENER
                        + "://127.0.0.1:0");
        settings.put("listener.security.protocol.map", CONTROLLER_LISTENER + ":PLAINTEXT," + LISTENER + ":PLAINTEXT");
        settings.put("log.dirs", logDir.toString());
        settings.put("auto.create.topics.enable", "false");

        // Measured: large records need large socket buffers, or each fetch is cut into many small reads.
        settings.put("socket.send.buffer.bytes", Integer.toString(4 * MIB));
        settings.put("socket.receive.buffer.bytes", Integer.toString(4 * MIB));
        // Requests being read are bounded in bytes, not only in number: 500 of 1 MiB would fill the heap.
        settings.put("queued.max.request.bytes", Integer.toString(128 * MIB));
        settings.put("num.network.threads", "2");
        settings.put("num.io.threads", "4");
        settings.put("background.threads", "2");
        // The cleaner keeps this much of the heap for good. The compacted topics here have few keys.
        settings.put("log.cleaner.threads", "1");
        settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 * MIB));
        settings.put("log.retention.check.interval.ms", "10000");

        // One broker: nothing can be replicated, and nobody else is waited for.
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("offsets.topic.num.partitions", "1");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("transaction.state.log.num.partitions", "1");
        settings.put("share.coordinator.state.topic.replication.factor", "1");
        settings.put("share.coordinator.state.topic.min.isr", "1");
        settings.put("share.coordinator.state.topic.num.partitions", "1");
        settings.put("default.replication.factor", "1");
        settings.put("min.insync.replicas", "1");
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("group.min.session.timeout.ms", "1000");

        // By default it would wait without end for a controller that has failed.
        settings.put("server.max.startup.time.ms", "120000");

        settings.putAll(config.overrides());
        return settings;
    }

    static String bracketed(String host) {
        return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    }
}
