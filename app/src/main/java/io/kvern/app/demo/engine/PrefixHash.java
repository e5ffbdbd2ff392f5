package io.kvern.app.demo.engine;

import io.kvern.model.BlockId;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/**
 * Names full blocks by all tokens up to their end: SHA-256 over the parent's hash (32 bytes, zeros for the first block) and
 * the block's token ids (4 bytes each, big-endian). Equal ids mean equal prefixes.
 */
final class PrefixHash {
    /** As it stands in the spec. */
    static final String ALGORITHM = "sha256(parent,tokens:u32be)";
    /** As it stands in the spec: what the first block takes for its parent's hash. */
    static final String SEED = "zeros";

    private static final int HASH_BYTES = 32;

    private PrefixHash() {}

    /** The ids of the full blocks of the first {@code count} tokens, root first. */
    static List<BlockId> chain(int[] tokens, int count, int tokensPerBlock) {
        List<BlockId> ids = new ArrayList<>(count / tokensPerBlock);
        MessageDigest digest = sha256();
        byte[] hash = new byte[HASH_BYTES];
        ByteBuffer block = ByteBuffer.allocate(tokensPerBlock * Integer.BYTES);
        for (int end = tokensPerBlock; end <= count; end += tokensPerBlock) {
            block.clear();
            for (int i = end - tokensPerBlock; i < end; i++) {
                block.putInt(tokens[i]);
            }
            digest.update(hash);
            hash = digest.digest(block.array());
            ids.add(BlockId.of(hash, 0, 1, 0));
        }
        return ids;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
