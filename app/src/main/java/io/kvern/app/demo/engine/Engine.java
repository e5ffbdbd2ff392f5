package io.kvern.app.demo.engine;

import io.kvern.model.BlockId;
import io.kvern.model.InvalidInputException;
import io.kvern.model.KvernException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Serves prompts one after another with greedy decoding. Of each prompt it takes the prefix that its own pool still has,
 * loads what follows from the tier, and computes the rest; its full blocks stay in the pool until their slots are needed,
 * and then go to the tier.
 *
 * <p>Belongs to one thread at a time.
 */
public final class Engine implements AutoCloseable {
    private final ModelShape shape;
    private final BlockMemory memory;
    private final Transformer transformer;
    private final KvPool pool;

    /**
     * Starts with an empty pool.
     *
     * @param memory the KV pool's slots, which the caller keeps; enough for the longest sequence
     * @param tier takes evicted blocks and loads others
     */
    public Engine(ReferenceModel model, BlockMemory memory, BlockTier tier, EngineSettings settings) {
        this.shape = model.shape();
        this.memory = memory;
        this.pool = new KvPool(shape, memory, tier, settings.slotTimeout());
        this.transformer = new Transformer(model, settings.chunkTokens(), settings.threads());
    }

    /**
     * Answers a prompt.
     *
     * @param prompt all tokens so far, at least one
     * @param answerTokens tokens to generate, at least one
     * @throws InvalidInputException if the sequence is empty, too long, or names a token that is not in the vocabulary
     * @throws KvernException if the pool has not enough slots for it; the engine stays usable
     */
    public Completion answer(int[] prompt, int answerTokens) throws InterruptedException {
        long start = System.nanoTime();
        check(prompt, answerTokens);
        int[] tokens = Arrays.copyOf(prompt, prompt.length + answerTokens);
        // The last prompt token is always computed, for its logits.
        List<BlockId> prefix = PrefixHash.chain(prompt, prompt.length - 1, shape.tokensPerBlock());
        List<KvBlock> blocks = new ArrayList<>(pool.cached(prefix));
        int cached = blocks.size();
        int known = 0; // tokens whose keys and values are in the blocks
        int loaded = 0;
        long loadNanos = 0;
        try {
            // The last answer token is never computed.
            blocks.addAll(pool.allocate(shape.blocksFor(tokens.length - 1) - cached));
            if (cached < prefix.size()) {
                long loadStart = System.nanoTime();
                loaded = pool.load(prefix.subList(cached, prefix.size()), blocks.subList(cached, prefix.size()));
                loadNanos = System.nanoTime() - loadStart;
            }
            known = (cached + loaded) * shape.tokensPerBlock();
            float[] logits = prefill(tokens, known, prompt.length, blocks);
            known = prompt.length;
            long firstTokenNanos = System.nanoTime() - start;
            List<float[]> steps = new ArrayList<>(answerTokens);
            while (true) {
                steps.add(logits);
                tokens[known] = Kernels.greatest(logits);
                if (steps.size() == answerTokens) {
                    break;
                }
                transformer.compute(tokens, known, known + 1, blocks);
                known++;
                logits = transformer.logits(1);
            }
            return new Completion(
                    Arrays.copyOfRange(tokens, prompt.length, tokens.length),
                    steps,
                    new RequestStats(
                            prompt.length,
                            cached * shape.tokensPerBlock(),
                            loaded * shape.tokensPerBlock(),
                            answerTokens,
                            (long) loaded * shape.blockBytes(),
                            firstTokenNanos,
                            loadNanos,
                            System.nanoTime() - start));
        } finally {
            retire(tokens, known, blocks, cached, loaded);
        }
    }

    private void check(int[] prompt, int answerTokens) {
        if (prompt.length < 1 || answerTokens < 1) {
            throw new InvalidInputException("a prompt of %d tokens and an answer of %d: at least 1 of each is needed"
                    .formatted(prompt.length, answerTokens));
        }
        if (prompt.length + answerTokens > shape.maxContext()) {
            throw InvalidInputException.overLimit(
                    "prompt and answer in tokens", prompt.length + answerTokens, shape.maxContext(), "maxContext");
        }
        int blocks = shape.blocksFor(prompt.length + answerTokens - 1);
        if (blocks > memory.slots()) {
            throw InvalidInputException.overLimit(
                    "blocks of a sequence", blocks, memory.slots(), "slots of the KV pool");
        }
        for (int token : prompt) {
            if (token < 0 || token >= shape.vocabulary()) {
                throw new InvalidInputException(
                        "token %d is not in the vocabulary of %d".formatted(token, shape.vocabulary()));
            }
        }
    }

    private float[] prefill(int[] tokens, int from, int to, List<KvBlock> blocks) {
        int at = from;
        int count = 0;
        while (at < to) {
            count = Math.min(transformer.chunkTokens(), to - at);
            transformer.compute(tokens, at, at + count, blocks);
            at += count;
        }
        return transformer.logits(count);
    }

    /**
     * Caches the full blocks of a sequence and frees the rest.
     *
     * @param known leading tokens whose keys and values the blocks hold
     * @param cached leading blocks that were in the cache before
     * @param loaded blocks behind them that came from the tier
     */
    private void retire(int[] tokens, int known, List<KvBlock> blocks, int cached, int loaded) {
        List<BlockId> ids = PrefixHash.chain(tokens, known, shape.tokensPerBlock());
        List<KvBlock> kept = new ArrayList<>(blocks.subList(0, cached));
        for (int i = cached; i < blocks.size(); i++) {
            KvBlock block = blocks.get(i);
            if (i < ids.size()) {
                block.name(ids.get(i), i == 0 ? null : ids.get(i - 1), i < cached + loaded);
                if (pool.keep(block)) {
                    kept.add(block);
                }
            } else {
                pool.free(block);
            }
        }
        pool.release(kept);
    }

    /** Hands every cached block to the tier, as an engine does that shuts down in good order; returns how many it took. */
    public long flush() {
        long before = pool.evictedBlocks();
        pool.flush();
        return pool.evictedBlocks() - before;
    }

    /** Forgets every cached block, as a crash would. */
    public void drop() {
        pool.drop();
    }

    /** Blocks in the pool that a prompt could reuse now. */
    public int cachedBlocks() {
        return pool.cachedBlocks();
    }

    /** Blocks handed to the tier so far. */
    public long evictedBlocks() {
        return pool.evictedBlocks();
    }

    /** Drops the pool and ends the threads. Blocks on their way out belong to the tier. */
    @Override
    public void close() {
        pool.drop();
        transformer.close();
    }
}
