package io.kvern.model;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What must agree, beside the namespace's name, before one engine may reuse the bytes of another. */
public sealed interface CacheSpec {

    /** The caller keeps everything that matters in its block ids. */
    record Opaque() implements CacheSpec {}

    /**
     * The shape and origin of an engine's KV cache. Any difference in any field is another namespace.
     *
     * @param dtype element type, such as {@code bf16} or {@code fp8_e4m3}
     * @param layers transformer layers whose KV a block holds
     * @param kvHeads key-value heads over all ranks
     * @param headSize elements per head
     * @param tokensPerBlock tokens of one block
     * @param tpSize tensor-parallel ranks
     * @param layout order of a block's dimensions, such as {@code layer,kv,token,head,dim}
     * @param hashAlgorithm how block hashes are chained
     * @param hashSeed seed of that hash
     * @param engineRevision the engine's version, where its KV layout depends on it
     * @param weightsRevision the model's weights: other weights are other blocks
     */
    record Engine(
            String dtype,
            int layers,
            int kvHeads,
            int headSize,
            int tokensPerBlock,
            int tpSize,
            String layout,
            String hashAlgorithm,
            String hashSeed,
            String engineRevision,
            String weightsRevision)
            implements CacheSpec {
        public Engine {
            positive("layers", layers);
            positive("kvHeads", kvHeads);
            positive("headSize", headSize);
            positive("tokensPerBlock", tokensPerBlock);
            positive("tpSize", tpSize);
        }

        private static void positive(String name, int value) {
            if (value < 1) {
                throw new InvalidInputException("spec field %s is %d; at least 1 is needed".formatted(name, value));
            }
        }
    }

    /** Whether a block, once stored, may never change: true for engines, whose ids are content hashes. */
    default boolean immutable() {
        return this instanceof Engine;
    }

    /**
     * The bytes that are hashed: a version byte, then each field with its length in front, so that no two different specs
     * run into the same bytes.
     */
    default byte[] canonical() {
        List<String> fields = switch (this) {
            case Opaque _ -> List.of("opaque");
            case Engine e ->
                List.of(
                        "engine",
                        e.dtype,
                        Integer.toString(e.layers),
                        Integer.toString(e.kvHeads),
                        Integer.toString(e.headSize),
                        Integer.toString(e.tokensPerBlock),
                        Integer.toString(e.tpSize),
                        e.layout,
                        e.hashAlgorithm,
                        e.hashSeed,
                        e.engineRevision,
                        e.weightsRevision);
        };
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(1);
        for (String field : fields) {
            byte[] utf8 = field.getBytes(StandardCharsets.UTF_8);
            out.writeBytes(ByteBuffer.allocate(4).putInt(utf8.length).array());
            out.writeBytes(utf8);
        }
        return out.toByteArray();
    }
}
