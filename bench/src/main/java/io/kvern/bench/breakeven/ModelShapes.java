package io.kvern.bench.breakeven;

import java.util.List;

/**
 * Some well-known models in bf16. The shapes are {@code num_hidden_layers}, {@code num_key_value_heads} and {@code head_dim}
 * (or {@code hidden_size / num_attention_heads}; for latent attention {@code kv_lora_rank} and {@code qk_rope_head_dim}) of
 * the {@code config.json} in each model's public repository, which is named in the comment.
 *
 * <p>The prefill speeds are assumptions, in tokens per second of one engine: a slower and a faster machine of the kind that
 * serves a model of this size. They are there to be replaced by what an operator has measured.
 */
public final class ModelShapes {
    private static final int BF16 = 2;

    private static final List<ModelShape> KNOWN = List.of(
            // baidu/ERNIE-4.5-0.3B-PT
            ModelShape.ofHeads("ERNIE-4.5-0.3B", 18, 2, 128, BF16, 5_000.0, 50_000.0),
            // Qwen/Qwen2.5-7B-Instruct
            ModelShape.ofHeads("Qwen2.5-7B", 28, 4, 128, BF16, 2_000.0, 10_000.0),
            // mistralai/Mistral-7B-v0.3; v0.1 keeps 4,096 tokens only (sliding_window)
            ModelShape.ofHeads("Mistral-7B-v0.3", 32, 8, 128, BF16, 2_000.0, 10_000.0),
            // meta-llama/Llama-3.1-8B
            ModelShape.ofHeads("Llama-3.1-8B", 32, 8, 128, BF16, 2_000.0, 10_000.0),
            // meta-llama/Llama-3.1-70B
            ModelShape.ofHeads("Llama-3.1-70B", 80, 8, 128, BF16, 1_000.0, 4_000.0),
            // deepseek-ai/DeepSeek-V3, without the layer that predicts a second token
            ModelShape.ofLatent("DeepSeek-V3", 61, 512, 64, BF16, 1_000.0, 8_000.0));

    private ModelShapes() {}

    /** From the smallest model to the largest. */
    public static List<ModelShape> known() {
        return KNOWN;
    }
}
