package io.kvern.protocol;

import io.kvern.model.InvalidInputException;
import io.kvern.model.Slot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Which topics a cluster was begun with. It is pinned once in {@code kvern.control}: a topic that was deleted and made again
 * has another id, and one with more partitions sends blocks elsewhere; filling stores from either would lose blocks silently.
 *
 * @param topics by name, 1 to {@value #MAX_TOPICS}
 */
public record ClusterLayout(SortedMap<String, PinnedTopic> topics) {
    /** Most topics that a layout may pin. */
    public static final int MAX_TOPICS = 64;

    /** Longest topic name that Kafka allows, in characters, all of them ASCII. */
    static final int MAX_NAME_BYTES = 249;

    /**
     * @param topicId Kafka's id of the topic
     * @param partitions 1 to 16384
     */
    public record PinnedTopic(UUID topicId, int partitions) {
        public PinnedTopic {
            if (partitions < 1 || partitions > Slot.COUNT) {
                throw new InvalidInputException(
                        "topic has %d partitions; 1 to %d are possible".formatted(partitions, Slot.COUNT));
            }
        }

        @Override
        public String toString() {
            return "id %s with %d partitions".formatted(topicId, partitions);
        }
    }

    public ClusterLayout {
        topics = Collections.unmodifiableSortedMap(new TreeMap<>(topics));
        if (topics.isEmpty() || topics.size() > MAX_TOPICS) {
            throw new InvalidInputException(
                    "cluster layout has %d topics; 1 to %d are possible".formatted(topics.size(), MAX_TOPICS));
        }
        for (String name : topics.keySet()) {
            Topics.checkName(name);
        }
    }

    public static ClusterLayout of(Map<String, PinnedTopic> topics) {
        return new ClusterLayout(new TreeMap<>(topics));
    }

    /** @throws InvalidInputException if the layout has no topic of this name */
    public PinnedTopic topic(String name) {
        PinnedTopic topic = topics.get(name);
        if (topic == null) {
            throw new InvalidInputException(
                    "topic %s is not in the cluster layout, which has %s".formatted(name, topics.keySet()));
        }
        return topic;
    }

    /** What of {@code actual} is not as pinned here, a line each naming both; empty where all is. Topics that only one of them has count too. */
    public List<String> differences(ClusterLayout actual) {
        List<String> lines = new ArrayList<>();
        topics.forEach((name, pinned) -> {
            PinnedTopic found = actual.topics.get(name);
            if (found == null) {
                lines.add("topic %s is pinned as %s, but is absent".formatted(name, pinned));
            } else if (!found.equals(pinned)) {
                lines.add("topic %s is pinned as %s, but is %s".formatted(name, pinned, found));
            }
        });
        actual.topics.forEach((name, found) -> {
            if (!topics.containsKey(name)) {
                lines.add("topic %s is %s, but is not pinned".formatted(name, found));
            }
        });
        return lines;
    }
}
