package io.kvern.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.InvalidInputException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayPlanTest {
    private static final TraceSummary TRACE = new TraceSummary(1000, 300_000, 200_000, 150_000_000, 100_000);

    @Test
    void capacityIsASizeAShareOrEndless() {
        assertThat(Capacity.parse("unlimited")).isEqualTo(new Capacity.Unlimited());
        assertThat(Capacity.parse("512MiB")).isEqualTo(new Capacity.Bytes(512 << 20));
        assertThat(Capacity.parse("25%")).isEqualTo(new Capacity.Share(0.25));
        assertThat(ReplayPlan.of(TRACE, 4096, Capacity.parse("25%")).capacityBytes())
                .isEqualTo(50_000L * 4096);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "many", "0%", "-1%", "NaN%", "x%", "12Mb"})
    void whatIsNoCapacityIsToldSo(String text) {
        assertThatThrownBy(() -> Capacity.parse(text)).isInstanceOf(InvalidInputException.class);
    }

    @Test
    void theStoreIsLargerThanAllBlocksWhereNothingMayGo() {
        for (int blockBytes : new int[] {1, 63, 4096, 65_536, 1 << 20, 64 << 20}) {
            ReplayPlan plan = ReplayPlan.of(TRACE, blockBytes, new Capacity.Unlimited());
            long payload = 200_000L * blockBytes;
            assertThat(plan.capacityBytes() - plan.capacityBytes() / 8).isGreaterThan(payload + (64 << 20));
            assertThat(plan.logBytes()).isGreaterThan(payload);
            assertThat(plan.neededBytes()).isGreaterThan(2 * payload);
        }
    }

    @Test
    void moreThanTheDiskHasIsRefusedWithBothNumbers(@TempDir Path dir) {
        ReplayPlan plan = ReplayPlan.of(TRACE, 64 << 20, new Capacity.Unlimited());

        assertThatThrownBy(() -> plan.requireRoom(dir))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("%,d bytes of disk".formatted(plan.neededBytes() + ReplayPlan.MIN_FREE_BYTES))
                .hasMessageContaining("are free");
    }

    @Test
    void impossibleSizesAreNamed() {
        assertThatThrownBy(() -> ReplayPlan.of(TRACE, 0, new Capacity.Unlimited()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("--block-bytes is 0; 1 to 67108864");
        assertThatThrownBy(() -> ReplayPlan.of(TRACE, 4096, new Capacity.Bytes(1000)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("--capacity is 1000 bytes; at least 16777216");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 4096, 5003})
    void aPatternIsItsIdsAloneAndEveryByteCounts(int length) {
        BlockPattern pattern = new BlockPattern(length, 0);
        ByteBuffer block = ByteBuffer.allocate(length + 3);
        pattern.fill(42, block);
        assertThat(pattern.isIn(42, block)).isTrue();
        assertThat(length < 8 || pattern.isIn(43, block)).isEqualTo(length < 8);
        for (int i = 0; i < length; i++) {
            block.put(i, (byte) (block.get(i) ^ 1));
            assertThat(pattern.isIn(42, block)).isFalse();
            block.put(i, (byte) (block.get(i) ^ 1));
        }
        assertThat(block.position()).isZero();
    }
}
