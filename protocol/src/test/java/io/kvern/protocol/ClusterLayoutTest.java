package io.kvern.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.InvalidInputException;
import io.kvern.protocol.ClusterLayout.PinnedTopic;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterLayoutTest {
    private static final UUID ID = new UUID(1, 2);
    private static final ClusterLayout LAYOUT =
            ClusterLayout.of(Map.of("kvern.blocks", new PinnedTopic(ID, 8), "kvern.control", new PinnedTopic(ID, 1)));

    @Test
    void aLayoutIsReadBack() {
        assertThat(ClusterLayoutCodec.decode(ClusterLayoutCodec.encode(LAYOUT))).isEqualTo(LAYOUT);
        assertThat(LAYOUT.topic("kvern.blocks").partitions()).isEqualTo(8);
        assertThatThrownBy(() -> LAYOUT.topic("kvern.loads"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("kvern.loads");
    }

    @Test
    void everyDifferenceNamesBothSides() {
        UUID other = new UUID(3, 4);
        ClusterLayout actual = ClusterLayout.of(
                Map.of("kvern.blocks", new PinnedTopic(other, 9), "kvern.more", new PinnedTopic(ID, 1)));

        assertThat(LAYOUT.differences(LAYOUT)).isEmpty();
        assertThat(LAYOUT.differences(actual))
                .satisfiesExactly(
                        line -> assertThat(line).contains("kvern.blocks", ID.toString(), "8", other.toString(), "9"),
                        line -> assertThat(line).contains("kvern.control", "absent"),
                        line -> assertThat(line).contains("kvern.more", "not pinned"));
    }

    @Test
    void impossibleLayoutsAreRefused() {
        assertThatThrownBy(() -> new PinnedTopic(ID, 0)).hasMessageContaining("0 partitions");
        assertThatThrownBy(() -> new PinnedTopic(ID, 16385)).hasMessageContaining("16385");
        assertThatThrownBy(() -> ClusterLayout.of(Map.of())).hasMessageContaining("0 topics");
        assertThatThrownBy(() -> ClusterLayout.of(Map.of("a b", new PinnedTopic(ID, 1))))
                .hasMessageContaining("'a b'");
    }

    @Test
    void everyTruncationIsNoticed() {
        byte[] event = ClusterLayoutCodec.encode(LAYOUT);
        for (int length = 0; length < event.length; length++) {
            byte[] cut = Arrays.copyOf(event, length);
            assertThatThrownBy(() -> ClusterLayoutCodec.decode(cut)).isInstanceOf(InvalidEventException.class);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {201, 202})
    void noBytesMakeItThrowAnythingElse(long seed) {
        Random random = new Random(seed);
        byte[] event = ClusterLayoutCodec.encode(LAYOUT);
        for (int i = 0; i < 5_000; i++) {
            try {
                assertThat(ClusterLayoutCodec.decode(BlockEventCodecTest.mutated(event, random))
                                .topics())
                        .isNotEmpty();
            } catch (InvalidEventException expected) {
                assertThat(expected.getMessage()).isNotBlank();
            }
        }
    }
}
