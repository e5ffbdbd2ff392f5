package io.kvern.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EmbeddedBrokerIT {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    @TempDir
    private Path dir;

    @Test
    void recordsSurviveARestartAtTheSameAddress() throws Exception {
        String address;
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerConfig.of(dir))) {
            address = broker.bootstrapServers();
            createTopic(address);
            produce(address, "before");
            assertThat(broker.alive()).isTrue();
        }
        int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));

        try (EmbeddedBroker again = EmbeddedBroker.start(BrokerConfig.of(dir).withPort(port))) {
            assertThat(again.bootstrapServers()).isEqualTo(address);
            produce(address, "after");
            assertThat(consume(address, 2)).containsExactly("before", "after");
        }
    }

    @Test
    void closingIsRepeatableAndVisible() {
        EmbeddedBroker broker = EmbeddedBroker.start(BrokerConfig.of(dir));
        broker.close();
        broker.close();

        assertThat(broker.alive()).isFalse();
        assertThat(broker.failure()).isNotDone();
    }

    @Test
    void aTakenPortIsNamedAndTheDirectoryIsFreeAgain() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            BrokerConfig config = new BrokerConfig(dir, "127.0.0.1", taken.getLocalPort(), Map.of());
            assertThatThrownBy(() -> EmbeddedBroker.start(config))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort());
        }
        EmbeddedBroker.start(BrokerConfig.of(dir)).close();
    }

    @Test
    void aDirectoryInUseIsNamedWithItsHolderAndLeftAlone() throws Exception {
        try (EmbeddedBroker first = EmbeddedBroker.start(BrokerConfig.of(dir))) {
            assertThatThrownBy(() -> EmbeddedBroker.start(BrokerConfig.of(dir)))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageContaining(dir.toString())
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
            createTopic(first.bootstrapServers());
            produce(first.bootstrapServers(), "still served");
            assertThat(consume(first.bootstrapServers(), 1)).containsExactly("still served");
        }
    }

    @Test
    void anUnwritableDirectoryIsNamed() throws IOException {
        Path file = Files.writeString(dir.resolve("file"), "not a directory");

        assertThatThrownBy(() -> EmbeddedBroker.start(BrokerConfig.of(file.resolve("data"))))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void aWrongSettingIsNamed() {
        BrokerConfig config = BrokerConfig.of(dir).with(Map.of("num.io.threads", "many"));

        assertThatThrownBy(() -> EmbeddedBroker.start(config))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("num.io.threads")
                .hasMessageContaining("many");
    }

    @Test
    void aLostDirectoryIsAVisibleFailureNotTheEndOfTheJvm() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerConfig.of(dir))) {
            createTopic(broker.bootstrapServers());
            // Moved in one step: deleting it file by file would race with what the broker writes.
            Files.move(dir.resolve("kafka"), dir.resolve("lost"));
            Files.writeString(dir.resolve("kafka"), "in its place");
            // Kafka finds out when it next opens a file: a new partition makes it.
            try (Admin admin = admin(broker.bootstrapServers())) {
                admin.createTopics(List.of(new NewTopic("u", 1, (short) 1)));
                assertThat(broker.failure().get(30, TimeUnit.SECONDS)).isInstanceOf(BrokerException.class);
                admin.close(Duration.ZERO); // its request will not be answered any more
            }
            assertThat(broker.alive()).isFalse();
        }
    }

    @Test
    void impossibleAddressesAreRefused() {
        assertThatThrownBy(() -> new BrokerConfig(dir, "127.0.0.1", 65536, Map.of()))
                .hasMessageContaining("65536");
        assertThatThrownBy(() -> new BrokerConfig(dir, "0.0.0.0", 0, Map.of()))
                .hasMessageContaining("advertised.listeners");
        assertThatThrownBy(() -> EmbeddedBroker.start(new BrokerConfig(dir, "no.such.host.invalid", 0, Map.of())))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("no.such.host.invalid");
    }

    private static Admin admin(String bootstrap) {
        return Admin.create(Map.of("bootstrap.servers", bootstrap));
    }

    private static void createTopic(String bootstrap) throws Exception {
        try (Admin admin = admin(bootstrap)) {
            admin.createTopics(List.of(new NewTopic(PARTITION.topic(), 1, (short) 1)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
        }
    }

    private static void produce(String bootstrap, String value) throws Exception {
        try (var producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap), new ByteArraySerializer(), new ByteArraySerializer())) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            producer.send(new ProducerRecord<>(PARTITION.topic(), bytes)).get(20, TimeUnit.SECONDS);
        }
    }

    private static List<String> consume(String bootstrap, int count) {
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(PARTITION));
            consumer.seekToBeginning(List.of(PARTITION));
            List<String> values = new ArrayList<>();
            long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (values.size() < count && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(200))
                        .forEach(rec -> values.add(new String(rec.value(), StandardCharsets.UTF_8)));
            }
            return values;
        }
    }
}
