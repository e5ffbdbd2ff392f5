package io.kvern.ingest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the brokers how things are. */
final class ClusterFacts {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterFacts.class);

    private final Admin admin;

    ClusterFacts(Admin admin) {
        this.admin = admin;
    }

    /** Those of these topics that exist, by name. */
    Map<String, TopicFacts> topics(Collection<String> names, Deadline deadline) {
        Map<String, TopicDescription> found = new HashMap<>();
        Map<String, KafkaFuture<TopicDescription>> answers =
                admin.describeTopics(names).topicNameValues();
        for (var answer : answers.entrySet()) {
            String what = "describe topic " + answer.getKey();
            try {
                found.put(
                        answer.getKey(),
                        deadline.await(answer.getValue().toCompletionStage().toCompletableFuture(), what));
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw deadline.refused(what, e);
                }
            }
        }
        Map<ConfigResource, Config> settings = found.isEmpty()
                ? Map.of()
                : deadline.awaitOrFail(
                        admin.describeConfigs(found.keySet().stream()
                                        .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                                        .toList())
                                .all(),
                        "describe the settings of topics " + found.keySet());
        Map<String, TopicFacts> facts = new HashMap<>();
        settings.forEach((resource, config) -> {
            TopicDescription topic = found.get(resource.name());
            if (topic != null) {
                facts.put(resource.name(), facts(topic, config));
            }
        });
        return facts;
    }

    private static TopicFacts facts(TopicDescription topic, Config config) {
        Map<Integer, Integer> replicas = new HashMap<>();
        for (TopicPartitionInfo partition : topic.partitions()) {
            partition.replicas().forEach(broker -> replicas.merge(broker.id(), 1, Integer::sum));
        }
        Map<String, TopicFacts.Setting> settings = config.entries().stream()
                .filter(entry -> entry.value() != null)
                .collect(Collectors.toMap(
                        ConfigEntry::name,
                        entry -> new TopicFacts.Setting(
                                String.valueOf(entry.value()),
                                entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)));
        return new TopicFacts(
                topic.name(),
                new UUID(
                        topic.topicId().getMostSignificantBits(),
                        topic.topicId().getLeastSignificantBits()),
                topic.partitions().size(),
                topic.partitions().getFirst().replicas().size(),
                replicas,
                settings);
    }

    /** Every broker; what one does not want to tell is left out, and said in the log. */
    List<BrokerFacts> brokers(String blocksTopic, Deadline deadline) {
        Collection<Node> nodes = deadline.awaitOrFail(admin.describeCluster().nodes(), "name the brokers");
        List<Integer> ids = nodes.stream().map(Node::id).sorted().toList();
        var directories = admin.describeLogDirs(ids).descriptions();
        List<BrokerFacts> brokers = new ArrayList<>();
        for (int id : ids) {
            ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(id));
            Map<String, String> settings = new HashMap<>();
            try {
                Map<ConfigResource, Config> config = deadline.await(
                        admin.describeConfigs(List.of(resource)).all(), "describe the settings of broker " + id);
                config.values().stream()
                        .flatMap(each -> each.entries().stream())
                        .filter(entry -> entry.value() != null)
                        .forEach(entry -> settings.put(entry.name(), String.valueOf(entry.value())));
            } catch (ExecutionException e) {
                LOG.info("broker {} does not tell its settings: {}", id, String.valueOf(e.getCause()));
            }
            Map<String, LogDirDescription> disks = Map.of();
            try {
                disks = deadline.await(
                        Objects.requireNonNull(directories.get(id)), "describe the log directories of broker " + id);
            } catch (ExecutionException e) {
                LOG.info("broker {} does not tell its log directories: {}", id, String.valueOf(e.getCause()));
            }
            brokers.add(new BrokerFacts(
                    id,
                    settings,
                    sum(disks.values().stream()
                            .map(LogDirDescription::totalBytes)
                            .toList()),
                    sum(disks.values().stream()
                            .map(LogDirDescription::usableBytes)
                            .toList()),
                    held(disks.values(), blocksTopic)));
        }
        return brokers;
    }

    /** Empty where no directory says. */
    private static OptionalLong sum(List<OptionalLong> each) {
        return each.stream().flatMapToLong(OptionalLong::stream).reduce(Long::sum);
    }

    private static long held(Collection<LogDirDescription> directories, String topic) {
        return directories.stream()
                .flatMap(directory -> directory.replicaInfos().entrySet().stream())
                .filter(replica -> replica.getKey().topic().equals(topic))
                .mapToLong(replica -> replica.getValue().size())
                .sum();
    }
}
