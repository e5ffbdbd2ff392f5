package io.kvern.ingest;

import io.kvern.model.InvalidInputException;
import io.kvern.protocol.ClusterLayout;
import io.kvern.protocol.ClusterLayout.PinnedTopic;
import io.kvern.protocol.TopicDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * Makes, pins, checks and describes the topics of a cluster. Every call ends within {@link AdminConfig#timeout}, with an
 * {@link KafkaUnavailableException} that names the brokers where they do not answer. Safe in any thread.
 */
public final class TopicAdmin implements AutoCloseable {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final AdminConfig config;
    private final Admin admin;
    private final ClusterFacts facts;
    private final ControlTopic controlTopic;

    private TopicAdmin(AdminConfig config, Admin admin) {
        this.config = config;
        this.admin = admin;
        this.facts = new ClusterFacts(admin);
        this.controlTopic = new ControlTopic(config);
    }

    /**
     * Connects in the background: an absent broker is no error here.
     *
     * @throws InvalidInputException if Kafka refuses a setting, or no name of the brokers can be resolved
     */
    public static TopicAdmin open(AdminConfig config) {
        try {
            return new TopicAdmin(config, Admin.create(config.client(config.timeout())));
        } catch (KafkaException e) {
            Throwable told = e.getCause() == null ? e : e.getCause();
            throw new InvalidInputException(
                    "no client for the brokers at %s: %s".formatted(config.bootstrapServers(), told.getMessage()), e);
        }
    }

    /**
     * Creates what is missing and pins the layout; where it is pinned already, holds the topics against it. A pinned topic
     * that is gone is not made again: what the stores were filled from is gone with it. Those that only pass things on are
     * made again, and pinned as they are then; so are those that an older layout lacks.
     *
     * @return the layout that is pinned
     * @throws AdminException if a topic is not the one that is pinned, naming both
     */
    public ClusterLayout ensure() {
        Deadline deadline = Deadline.of(config);
        Map<String, TopicFacts> found = facts.topics(names(), deadline);
        ClusterLayout pinned = found.containsKey(config.topics().control()) ? controlTopic.read(deadline) : null;
        if (pinned != null) {
            verify(pinned, found);
        }
        List<TopicDefinition> missing = missing(found);
        if (!missing.isEmpty()) {
            create(missing, deadline);
            found = awaitAll(deadline);
        }
        ClusterLayout made = layoutOf(found);
        if (made.equals(pinned)) {
            return made;
        }
        controlTopic.write(made, deadline);
        // Read back: of two that pin at once, both go by what the log says.
        pinned = controlTopic.read(deadline);
        if (pinned == null) {
            throw new AdminException("topic %s does not keep the cluster layout that was written to it"
                    .formatted(config.topics().control()));
        }
        verify(pinned, facts.topics(names(), deadline));
        return pinned;
    }

    /**
     * The pinned layout, held against the topics as they are.
     *
     * @throws AdminException if none is pinned, or a topic is not the one that is
     */
    public ClusterLayout layout() {
        Deadline deadline = Deadline.of(config);
        Map<String, TopicFacts> found = facts.topics(names(), deadline);
        ClusterLayout pinned = found.containsKey(config.topics().control()) ? controlTopic.read(deadline) : null;
        if (pinned == null) {
            throw new AdminException(
                    "no cluster layout is pinned in topic %s on the brokers at %s; 'kvern topics create' does it"
                            .formatted(config.topics().control(), config.bootstrapServers()));
        }
        verify(pinned, found);
        return pinned;
    }

    /** Every setting of topic, broker, producer and consumer that does not fit the others, the worst first; empty if all fit. */
    public List<Finding> check() {
        Deadline deadline = Deadline.of(config);
        Map<String, TopicFacts> topics = facts.topics(names(), deadline);
        return SettingsCheck.run(config, topics, facts.brokers(config.topics().blocks(), deadline));
    }

    /** Lines for people: the topics, the warm-up window, and what it costs of the brokers' disks. */
    public List<String> describe() {
        Deadline deadline = Deadline.of(config);
        Map<String, TopicFacts> topics = facts.topics(names(), deadline);
        return TopicReport.lines(config, topics, facts.brokers(config.topics().blocks(), deadline));
    }

    @Override
    public void close() {
        admin.close(CLOSE_LIMIT);
    }

    private List<String> names() {
        return config.definitions().stream().map(TopicDefinition::name).toList();
    }

    /** Those that do not exist, as they are to be made: requests are partitioned as the blocks that they ask for are. */
    private List<TopicDefinition> missing(Map<String, TopicFacts> found) {
        TopicFacts blocks = found.get(config.topics().blocks());
        return config.definitions().stream()
                .filter(topic -> !found.containsKey(topic.name()))
                .map(topic -> blocks != null
                                && topic.name().equals(config.topics().loads())
                        ? new TopicDefinition(topic.name(), blocks.partitions(), topic.replication(), topic.settings())
                        : topic)
                .toList();
    }

    private void create(List<TopicDefinition> topics, Deadline deadline) {
        List<NewTopic> wanted = topics.stream()
                .map(topic -> new NewTopic(topic.name(), topic.partitions(), (short) topic.replication())
                        .configs(topic.settings()))
                .toList();
        admin.createTopics(wanted).values().forEach((name, answer) -> {
            String what = "create topic " + name;
            try {
                deadline.await(answer.toCompletionStage().toCompletableFuture(), what);
            } catch (ExecutionException e) {
                // Somebody else was faster, with the same wish.
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw deadline.refused(what, e);
                }
            }
        });
    }

    /** A topic just made may not be known to every broker yet. */
    private Map<String, TopicFacts> awaitAll(Deadline deadline) {
        while (true) {
            Map<String, TopicFacts> found = facts.topics(names(), deadline);
            if (missing(found).isEmpty()) {
                return found;
            }
            if (deadline.passed()) {
                throw deadline.tooLate("describe the topics just made", new IllegalStateException("still absent"));
            }
        }
    }

    /** All topics but the dead letters, whose shape nobody needs to know. */
    private ClusterLayout layoutOf(Map<String, TopicFacts> found) {
        SortedMap<String, PinnedTopic> topics = new TreeMap<>();
        found.forEach((name, topic) -> {
            if (!name.equals(config.topics().deadLetters())) {
                topics.put(name, new PinnedTopic(topic.id(), topic.partitions()));
            }
        });
        return new ClusterLayout(topics);
    }

    /** The topics whose identity matters: those that stores are filled from. */
    private ClusterLayout kept(ClusterLayout layout) {
        SortedMap<String, PinnedTopic> topics = new TreeMap<>(layout.topics());
        topics.keySet().removeIf(config.topics()::passing);
        return new ClusterLayout(topics);
    }

    private void verify(ClusterLayout pinned, Map<String, TopicFacts> found) {
        List<String> differences = kept(pinned).differences(kept(layoutOf(found)));
        if (!differences.isEmpty()) {
            throw new AdminException(
                    ("the topics on the brokers at %s are not those that this cluster was begun with: %s. Stores"
                        + " filled from the one would miss blocks of the other; bring the topics back, or begin"
                        + " another cluster under another prefix (setting topics.prefix)")
                            .formatted(config.bootstrapServers(), String.join("; ", differences)));
        }
    }
}
