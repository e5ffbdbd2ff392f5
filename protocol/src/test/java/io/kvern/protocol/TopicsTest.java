package io.kvern.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.InvalidInputException;
import io.kvern.model.Slot;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicsTest {
    @Test
    void theWindowIsSharedByThePartitions() {
        List<TopicDefinition> all = Topics.withDefaultPrefix().definitions(8, 3, 8L << 30);

        assertThat(all)
                .extracting(TopicDefinition::name)
                .containsExactly("kvern.blocks", "kvern.control", "kvern.dead-letters", "kvern.loads", "kvern.replies");
        TopicDefinition blocks = all.getFirst();
        assertThat(blocks.partitions()).isEqualTo(8);
        assertThat(blocks.settings())
                .containsEntry("cleanup.policy", "delete")
                .containsEntry("retention.bytes", Long.toString(1L << 30))
                .containsEntry("segment.bytes", Long.toString(64 << 20))
                .containsEntry("min.insync.replicas", "2");
        assertThat(all.get(1).settings()).containsEntry("cleanup.policy", "compact");
        assertThat(all.get(1).partitions()).isEqualTo(1);
        assertThat(all.subList(3, 5)).allSatisfy(passing -> {
            assertThat(passing.partitions()).isEqualTo(8);
            assertThat(passing.settings()).containsEntry("retention.ms", "60000");
        });
    }

    @Test
    void impossibleTopicsAreRefused() {
        Topics topics = new Topics("");

        assertThat(topics.blocks()).isEqualTo("blocks");
        assertThatThrownBy(() -> new Topics("my topics.")).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> topics.definitions(0, 1, 1L << 30)).hasMessageContaining("0 partitions");
        assertThatThrownBy(() -> topics.definitions(8, 0, 1L << 30)).hasMessageContaining("factor is 0");
        assertThatThrownBy(() -> topics.definitions(8, 1, 1L << 20)).hasMessageContaining("131072 bytes each");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 100, 16384})
    void aPartitionIsAContiguousRangeOfSlots(int partitions) {
        int last = 0;
        boolean[] used = new boolean[partitions];
        for (int slot = 0; slot < Slot.COUNT; slot++) {
            int partition = Partitioning.partitionOf(slot, partitions);
            assertThat(partition).isBetween(last, last + 1).isLessThan(partitions);
            used[partition] = true;
            last = partition;
        }
        assertThat(used).doesNotContain(false);
    }
}
