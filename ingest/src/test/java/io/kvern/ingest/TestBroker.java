package io.kvern.ingest;

import io.kvern.broker.BrokerConfig;
import io.kvern.broker.EmbeddedBroker;
import io.kvern.protocol.Topics;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** A broker for one test class, with a fresh topic for each test. */
final class TestBroker implements AutoCloseable {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final EmbeddedBroker broker;

    TestBroker(Path dir) {
        this(dir, 0, Map.of());
    }

    TestBroker(Path dir, int port, Map<String, String> overrides) {
        broker = EmbeddedBroker.start(new BrokerConfig(dir, "127.0.0.1", port, overrides));
    }

    int port() {
        return broker.port();
    }

    String bootstrap() {
        return broker.bootstrapServers();
    }

    /** A prefix that no other test uses. */
    static Topics topics() {
        return new Topics("t" + NAMES.incrementAndGet() + ".");
    }

    String topic(int partitions, Map<String, String> settings) throws Exception {
        String name = topics().blocks();
        create(name, partitions, settings);
        return name;
    }

    void create(String name, int partitions, Map<String, String> settings) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap()))) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(settings)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        broker.close();
    }
}
