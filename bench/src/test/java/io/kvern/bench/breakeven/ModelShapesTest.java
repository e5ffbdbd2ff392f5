package io.kvern.bench.breakeven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ModelShapesTest {
    @Test
    void bytesPerTokenAreThoseOfTheModels() {
        Map<String, Long> bytes =
                ModelShapes.known().stream().collect(Collectors.toMap(ModelShape::name, ModelShape::bytesPerToken));

        assertThat(bytes)
                .containsEntry("Llama-3.1-8B", 128L << 10)
                .containsEntry("Llama-3.1-70B", 320L << 10)
                .containsEntry("Mistral-7B-v0.3", 128L << 10)
                .containsEntry("Qwen2.5-7B", 56L << 10)
                .containsEntry("ERNIE-4.5-0.3B", 18L << 10)
                .containsEntry("DeepSeek-V3", 70_272L);
    }

    @Test
    void eachModelHasSpeedsToLookAt() {
        assertThat(ModelShapes.known())
                .allSatisfy(shape -> assertThat(shape.prefillTokensPerSecond()).hasSizeGreaterThan(1));
    }

    @Test
    void impossibleShapesAreRefused() {
        assertThatThrownBy(() -> new ModelShape("m", 0, List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ModelShape("m", 1, List.of(0.0))).isInstanceOf(IllegalArgumentException.class);
    }
}
