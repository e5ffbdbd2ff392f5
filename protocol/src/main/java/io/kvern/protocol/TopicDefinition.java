package io.kvern.protocol;

import java.util.Map;

/**
 * How a topic is created.
 *
 * @param name full, prefix included
 * @param partitions at least 1
 * @param replication copies of each partition, at least 1
 * @param settings Kafka's topic settings, each set explicitly where Kvern depends on it
 */
public record TopicDefinition(String name, int partitions, int replication, Map<String, String> settings) {
    public TopicDefinition {
        settings = Map.copyOf(settings);
    }
}
