package io.kvern.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.ingest.Finding.Severity;
import io.kvern.protocol.TopicDefinition;
import io.kvern.protocol.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsCheckTest {
    private static final Topics TOPICS = Topics.withDefaultPrefix();
    private static final AdminConfig CONFIG = AdminConfig.of("h:1", TOPICS).withTopics(8, 3, 8L << 30);

    private final Map<String, TopicFacts> topics = new HashMap<>();
    private BrokerFacts broker = new BrokerFacts(
            1,
            Map.of(
                    "socket.request.max.bytes", "104857600",
                    "replica.fetch.max.bytes", "1048576",
                    "replica.fetch.response.max.bytes", "10485760"),
            OptionalLong.of(100L << 30),
            OptionalLong.of(50L << 30),
            0);

    SettingsCheckTest() {
        for (TopicDefinition topic : CONFIG.definitions()) {
            Map<String, TopicFacts.Setting> settings = new HashMap<>();
            topic.settings().forEach((name, value) -> settings.put(name, new TopicFacts.Setting(value, true)));
            topics.put(
                    topic.name(),
                    new TopicFacts(
                            topic.name(),
                            new UUID(0, 1),
                            topic.partitions(),
                            3,
                            Map.of(1, topic.partitions()),
                            settings));
        }
    }

    @Test
    void whatIsMadeHereFits() {
        assertThat(check(CONFIG)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "kvern.blocks, max.message.bytes, 522831, ERROR, 522823",
        "kvern.blocks, max.message.bytes, 1048575, ERROR, batch.size",
        "kvern.blocks, segment.bytes, 1048575, ERROR, 1048576",
        "kvern.blocks, cleanup.policy, 'compact,delete', ERROR, compaction",
        "kvern.blocks, retention.bytes, -1, WARN, disks are full",
        "kvern.blocks, retention.bytes, 67108863, ERROR, 67108864 bytes",
        "kvern.blocks, retention.bytes, 1073741823, WARN, 8.0 GiB asked for",
        "kvern.blocks, retention.ms, 604800000, WARN, -1",
        "kvern.blocks, message.timestamp.type, CreateTime, WARN, LogAppendTime",
        "kvern.blocks, compression.type, zstd, WARN, producer",
        "kvern.blocks, min.insync.replicas, 4, ERROR, at most 3",
        "kvern.blocks, min.insync.replicas, 3, WARN, one broker may stop",
        "kvern.control, cleanup.policy, delete, ERROR, compact",
        "kvern.dead-letters, max.message.bytes, 530000, ERROR, dead letter",
        "kvern.loads, max.message.bytes, 530000, ERROR, longest ids",
        "kvern.loads, retention.ms, -1, WARN, minute",
        "kvern.replies, max.message.bytes, 520192, ERROR, at least 5",
        "kvern.replies, cleanup.policy, compact, ERROR, delete"
    })
    void aTopicSettingThatDoesNotFit(String topic, String setting, String value, Severity severity, String needed) {
        String given = setting.equals("max.message.bytes") && value.equals("522831")
                ? Long.toString(SettingsCheck.largestRecord(Topics.CHUNK_PAYLOAD_BYTES) - 1)
                : value;
        set(topic, setting, new TopicFacts.Setting(given, true));

        assertThat(check(CONFIG)).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(severity);
            assertThat(finding.where()).isEqualTo("topic " + topic);
            assertThat(finding.setting()).isEqualTo(setting);
            assertThat(finding.value()).isEqualTo(given);
            assertThat(finding.toString()).contains(needed);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "max.request.size, 500000, ERROR",
        "buffer.memory, 1000000, ERROR",
        "buffer.memory, 2000000, WARN",
        "batch.size, 16384, WARN",
        "compression.type, lz4, WARN",
        "linger.ms, 5, "
    })
    void aProducerSettingThatDoesNotFit(String setting, String value, Severity severity) {
        Map<String, Object> producer = new HashMap<>(CONFIG.producer());
        producer.put(setting, value);

        assertThat(check(CONFIG.withClients(producer, Map.of())))
                .filteredOn(finding -> finding.where().equals("producer"))
                .extracting(Finding::severity)
                .isEqualTo(severity == null ? List.of() : List.of(severity));
    }

    @Test
    void aSettingThatIsNoNumberIsNamed() {
        Map<String, Object> producer = new HashMap<>(CONFIG.producer());
        producer.put("batch.size", "large");

        assertThat(check(CONFIG.withClients(producer, Map.of())).getFirst().toString())
                .isEqualTo("ERROR: producer: batch.size is large; a number is needed");
    }

    @Test
    void aLimitOfTheBrokerIsNamedByTheBrokersName() {
        set(TOPICS.blocks(), "max.message.bytes", new TopicFacts.Setting("100000", false));

        assertThat(check(CONFIG).getFirst().setting()).contains("message.max.bytes");
    }

    @Test
    void brokersThatCannotCarryIt() {
        broker = new BrokerFacts(
                1,
                Map.of("socket.request.max.bytes", "1048576", "replica.fetch.max.bytes", "1000"),
                OptionalLong.of(10L << 30),
                OptionalLong.of(1L << 30),
                2L << 30);

        assertThat(check(CONFIG).stream().map(Finding::toString).toList())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("ERROR: broker 1: socket.request.max.bytes is 1048576"),
                        line -> assertThat(line)
                                .startsWith("WARN: broker 1: log.dirs is 1.0 GiB free")
                                .contains("6.0 GiB more"),
                        line -> assertThat(line).startsWith("WARN: broker 1: replica.fetch.max.bytes is 1000"));
    }

    @Test
    void controlMustBeOneSequence() {
        topics.computeIfPresent(
                TOPICS.control(), (name, facts) -> new TopicFacts(name, facts.id(), 2, 3, Map.of(), facts.settings()));

        assertThat(check(CONFIG))
                .singleElement()
                .satisfies(finding -> assertThat(finding.setting()).isEqualTo("partitions"));
    }

    @Test
    void requestsArePartitionedAsTheBlocks() {
        topics.computeIfPresent(
                TOPICS.loads(), (name, facts) -> new TopicFacts(name, facts.id(), 4, 3, Map.of(), facts.settings()));

        assertThat(check(CONFIG)).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.ERROR);
            assertThat(finding.toString()).contains("kvern.loads", "partitions is 4", "8 are needed");
        });
    }

    @Test
    void theReportSaysWhatTheWindowCosts() {
        assertThat(TopicReport.lines(CONFIG, topics, List.of(broker)))
                .anySatisfy(line -> assertThat(line).contains("the last 8.0 GiB of blocks", "8 partitions", "1.0 GiB"))
                .anySatisfy(line -> assertThat(line).contains("up to 24.0 GiB of broker disk", "replication 3"))
                .anySatisfy(
                        line -> assertThat(line).contains("broker 1: its share is 8.0 GiB", "50.0 GiB of 100.0 GiB"));
        set(TOPICS.blocks(), "retention.bytes", new TopicFacts.Setting("-1", true));
        assertThat(TopicReport.lines(CONFIG, topics, List.of(broker)))
                .anySatisfy(line -> assertThat(line).contains("without limit"));
    }

    private List<Finding> check(AdminConfig config) {
        return SettingsCheck.run(config, topics, List.of(broker));
    }

    private void set(String topic, String setting, TopicFacts.Setting value) {
        topics.computeIfPresent(topic, (name, facts) -> {
            Map<String, TopicFacts.Setting> settings = new HashMap<>(facts.settings());
            settings.put(setting, value);
            return new TopicFacts(
                    name, facts.id(), facts.partitions(), facts.replication(), facts.replicasByBroker(), settings);
        });
    }
}
