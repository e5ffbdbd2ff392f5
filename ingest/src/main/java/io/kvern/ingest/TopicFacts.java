package io.kvern.ingest;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A topic as the brokers describe it.
 *
 * @param replication of its first partition
 * @param replicasByBroker how many of its replicas each broker holds
 * @param settings in effect, by name
 */
record TopicFacts(
        String name,
        UUID id,
        int partitions,
        int replication,
        Map<Integer, Integer> replicasByBroker,
        Map<String, Setting> settings) {

    /** @param ownOfTopic false where it comes from the broker's settings or Kafka's default */
    record Setting(String value, boolean ownOfTopic) {}

    @Nullable
    Setting setting(String name) {
        return settings.get(name);
    }

    /** A setting that is a number; {@code otherwise} where the broker does not say or says something else. */
    long number(String name, long otherwise) {
        Setting setting = settings.get(name);
        try {
            return setting == null ? otherwise : Long.parseLong(setting.value());
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    String text(String name) {
        Setting setting = settings.get(name);
        return setting == null ? "" : setting.value();
    }
}
