package io.kvern.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.kvern.model.InvalidInputException;
import io.kvern.protocol.ClusterLayout;
import io.kvern.protocol.Topics;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TopicAdminIT {
    @TempDir
    private static Path dir;

    private static TestBroker broker;

    @BeforeAll
    static void start() {
        broker = new TestBroker(dir);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private final Topics topics = TestBroker.topics();

    private AdminConfig config() {
        return AdminConfig.of(broker.bootstrap(), topics).withTopics(4, 1, 1L << 30);
    }

    @Test
    void topicsAreMadeOnceAndTheirLayoutIsPinned() {
        ClusterLayout made;
        try (TopicAdmin admin = TopicAdmin.open(config())) {
            assertThatThrownBy(admin::layout).isInstanceOf(AdminException.class).hasMessageContaining("topics create");
            assertThat(admin.check())
                    .hasSize(5)
                    .allSatisfy(finding -> assertThat(finding.needed()).contains("kvern topics create"));
            made = admin.ensure();
            assertThat(admin.ensure()).isEqualTo(made);
        }
        assertThat(made.topic(topics.blocks()).partitions()).isEqualTo(4);
        assertThat(made.topic(topics.control()).partitions()).isEqualTo(1);
        // What is configured for making topics does not matter once they are made.
        try (TopicAdmin other = TopicAdmin.open(config().withTopics(16, 1, 1L << 30))) {
            assertThat(other.ensure()).isEqualTo(made);
            assertThat(other.layout()).isEqualTo(made);
            assertThat(other.check()).singleElement().satisfies(finding -> {
                assertThat(finding.severity()).isEqualTo(Finding.Severity.WARN);
                assertThat(finding.toString()).contains("partitions is 4", "16");
            });
        }
    }

    @Test
    void twoThatBeginTheClusterAtOnceAgree() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Callable<ClusterLayout> begin = () -> {
                try (TopicAdmin admin = TopicAdmin.open(config())) {
                    return admin.ensure();
                }
            };
            Future<ClusterLayout> one = threads.submit(begin);
            Future<ClusterLayout> two = threads.submit(begin);
            assertThat(one.get(40, TimeUnit.SECONDS)).isEqualTo(two.get(40, TimeUnit.SECONDS));
        }
    }

    @Test
    void whatTheyCheckAndDescribeOfTopicsJustMade() {
        try (TopicAdmin admin = TopicAdmin.open(config())) {
            admin.ensure();

            assertThat(admin.check()).isEmpty();
            assertThat(admin.describe())
                    .anySatisfy(line -> assertThat(line).contains("1.0 GiB of blocks", "4 partitions", "256.0 MiB"))
                    .anySatisfy(line -> assertThat(line).contains("up to 1.0 GiB of broker disk", "replication 1"))
                    .anySatisfy(
                            line -> assertThat(line).matches("broker 1: its share is 1.0 GiB, .* taken now; .* free"));
        }
    }

    @Test
    void aTopicThatWasMadeAgainIsRefusedNamingBoth() throws Exception {
        try (TopicAdmin admin = TopicAdmin.open(config());
                Admin kafka = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            ClusterLayout made = admin.ensure();
            String pinned = made.topic(topics.blocks()).topicId().toString();
            kafka.deleteTopics(List.of(topics.blocks())).all().get(20, TimeUnit.SECONDS);
            await(() -> !kafka.listTopics().names().get(20, TimeUnit.SECONDS).contains(topics.blocks()));

            assertThatThrownBy(admin::ensure)
                    .isInstanceOf(AdminException.class)
                    .hasMessageContainingAll(topics.blocks(), pinned, "absent");
            assertThat(kafka.listTopics().names().get(20, TimeUnit.SECONDS)).doesNotContain(topics.blocks());

            broker.create(topics.blocks(), 4, Map.of());
            assertThatThrownBy(admin::ensure)
                    .isInstanceOf(AdminException.class)
                    .hasMessageContainingAll(pinned, "but is id");
            assertThatThrownBy(admin::layout).isInstanceOf(AdminException.class).hasMessageContaining(pinned);
        }
    }

    @Test
    void aTopicThatGrewIsRefusedNamingBothCounts() throws Exception {
        try (TopicAdmin admin = TopicAdmin.open(config());
                Admin kafka = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            admin.ensure();
            kafka.createPartitions(Map.of(topics.blocks(), NewPartitions.increaseTo(5)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
            // The controller has it first, the broker that answers a little later.
            await(
                    () -> kafka
                            .describeTopics(List.of(topics.blocks()))
                            .allTopicNames()
                            .get(20, TimeUnit.SECONDS)
                            .values()
                            .stream()
                            .allMatch(described -> described.partitions().size() == 5));

            assertThatThrownBy(admin::layout)
                    .isInstanceOf(AdminException.class)
                    .hasMessageContainingAll(topics.blocks(), "4 partitions", "5 partitions");
        }
    }

    @Test
    void deadLettersMayBeThrownAway() throws Exception {
        try (TopicAdmin admin = TopicAdmin.open(config());
                Admin kafka = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            ClusterLayout made = admin.ensure();
            kafka.deleteTopics(List.of(topics.deadLetters())).all().get(20, TimeUnit.SECONDS);
            await(() -> !kafka.listTopics().names().get(20, TimeUnit.SECONDS).contains(topics.deadLetters()));

            assertThat(admin.ensure()).isEqualTo(made);
            assertThat(kafka.listTopics().names().get(20, TimeUnit.SECONDS)).contains(topics.deadLetters());
        }
    }

    @Test
    void topicsThatPassThingsOnAreMadeAgainAndPinned() throws Exception {
        try (TopicAdmin admin = TopicAdmin.open(config());
                Admin kafka = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            ClusterLayout made = admin.ensure();
            assertThat(made.topics()).containsKeys(topics.loads(), topics.replies());
            List<String> passing = List.of(topics.loads(), topics.replies());
            kafka.deleteTopics(passing).all().get(20, TimeUnit.SECONDS);
            await(() -> kafka.listTopics().names().get(20, TimeUnit.SECONDS).stream()
                    .noneMatch(passing::contains));
            assertThat(admin.layout()).isEqualTo(made);

            // Another configuration does not matter: requests go where the blocks are.
            ClusterLayout again;
            try (TopicAdmin other = TopicAdmin.open(config().withTopics(16, 1, 1L << 30))) {
                again = other.ensure();
            }
            assertThat(again.topic(topics.blocks())).isEqualTo(made.topic(topics.blocks()));
            assertThat(again.topic(topics.loads()).partitions()).isEqualTo(4);
            assertThat(again.topic(topics.loads()).topicId())
                    .isNotEqualTo(made.topic(topics.loads()).topicId());
            assertThat(admin.layout()).isEqualTo(again);
        }
    }

    @Test
    void aLayoutOfBeforeTheLogLaneIsExtended() {
        ClusterLayout made;
        AdminConfig config = config();
        try (TopicAdmin admin = TopicAdmin.open(config)) {
            made = admin.ensure();
            SortedMap<String, ClusterLayout.PinnedTopic> old = new TreeMap<>(made.topics());
            old.keySet().removeIf(topics::passing);
            new ControlTopic(config).write(new ClusterLayout(old), Deadline.of(config));

            assertThat(admin.layout().topics()).hasSize(2);
            assertThat(admin.ensure()).isEqualTo(made);
            assertThat(admin.layout()).isEqualTo(made);
        }
    }

    @Test
    void topicsThatSomebodyChangedAreNoticed() throws Exception {
        try (TopicAdmin admin = TopicAdmin.open(config());
                Admin kafka = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
            admin.ensure();
            set(kafka, topics.blocks(), "cleanup.policy", "compact");
            set(kafka, topics.control(), "cleanup.policy", "delete");

            assertThat(admin.check())
                    .extracting(Finding::where, Finding::setting, Finding::severity)
                    .contains(
                            tuple("topic " + topics.blocks(), "cleanup.policy", Finding.Severity.ERROR),
                            tuple("topic " + topics.control(), "cleanup.policy", Finding.Severity.ERROR));
        }
    }

    @Test
    void moreReplicasThanBrokersAreRefusedByKafkaAndSaidSo() {
        try (TopicAdmin admin = TopicAdmin.open(config().withTopics(4, 3, 1L << 30))) {
            assertThatThrownBy(admin::ensure)
                    .isInstanceOf(AdminException.class)
                    .hasMessageContainingAll("create topic", broker.bootstrap())
                    .hasMessageContaining("eplication");
        }
    }

    @Test
    void anAbsentBrokerIsNamedWithinTheTimeout() throws Exception {
        String nobody;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = "127.0.0.1:" + free.getLocalPort();
        }
        AdminConfig config = AdminConfig.of(nobody, topics).withTimeout(Duration.ofSeconds(1));
        try (TopicAdmin admin = TopicAdmin.open(config)) {
            long begin = System.nanoTime();
            assertThatThrownBy(admin::ensure)
                    .isInstanceOf(AdminException.class)
                    .hasMessageContainingAll(nobody, "bootstrap.servers", "1000 ms");
            assertThatThrownBy(admin::describe)
                    .isInstanceOf(AdminException.class)
                    .hasMessageContaining(nobody);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(6));
        }
    }

    @Test
    void anAddressThatCannotBeOneIsRefused() {
        assertThatThrownBy(() -> TopicAdmin.open(AdminConfig.of("nonsense", topics)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("nonsense");
        assertThatThrownBy(() -> AdminConfig.of(" ", topics)).hasMessageContaining("bootstrap.servers");
    }

    private static void set(Admin kafka, String topic, String setting, String value) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        kafka.incrementalAlterConfigs(Map.of(
                        resource,
                        List.of(new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
                .all()
                .get(20, TimeUnit.SECONDS);
        await(() -> kafka.describeConfigs(List.of(resource)).all().get(20, TimeUnit.SECONDS).values().stream()
                .allMatch(described -> value.equals(described.get(setting).value())));
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
    }
}
