package io.kvern.app.demo.engine;

import io.kvern.app.demo.engine.BlockMemory.Slot;
import io.kvern.model.BlockId;
import io.kvern.model.InvalidInputException;
import io.kvern.model.KvernException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Slots, cached blocks and the way out. A slot is free, held here (in use or cached), or on its way out with the tier,
 * which gives it back when it is done.
 *
 * <p>Belongs to the engine's thread, except that slots come back on any.
 */
final class KvPool {
    private final ModelShape shape;
    private final BlockMemory memory;
    private final BlockTier tier;
    private final Duration timeout;
    private final PrefixCache cache = new PrefixCache();
    private final AtomicInteger leaving = new AtomicInteger();
    private int held;
    private long evictedBlocks;

    KvPool(ModelShape shape, BlockMemory memory, BlockTier tier, Duration timeout) {
        if (memory.slotBytes() < shape.blockBytes()) {
            throw new InvalidInputException("slots of the KV pool have %d bytes; a block of this model has %d"
                    .formatted(memory.slotBytes(), shape.blockBytes()));
        }
        this.shape = shape;
        this.memory = memory;
        this.tier = tier;
        this.timeout = timeout;
    }

    /** The leading run of {@code ids} that is cached, to be {@link #release released} later. */
    List<KvBlock> cached(List<BlockId> ids) {
        return cache.take(ids);
    }

    /**
     * Empty blocks, after evicting what must go for them; all at once, so that the blocks on their way out overlap.
     *
     * @throws KvernException if too many blocks are in use, or the tier gives no slot back within the timeout
     */
    List<KvBlock> allocate(int count) throws InterruptedException {
        List<KvBlock> blocks = new ArrayList<>(count);
        try {
            while (memory.slots() - held < count && evictOne()) {}
            if (memory.slots() - held < count) {
                throw new KvernException("the KV pool has %d slots, %d of them in use; %d more are needed at once"
                        .formatted(memory.slots(), held, count));
            }
            for (int i = 0; i < count; i++) {
                Slot slot = memory.take(timeout.toNanos());
                if (slot == null) {
                    throw new KvernException("no slot of the KV pool came free within %s: %d of %d are on their way out"
                            .formatted(timeout, leaving.get(), memory.slots()));
                }
                held++;
                blocks.add(new KvBlock(shape, slot));
            }
            return blocks;
        } catch (KvernException | InterruptedException e) {
            blocks.forEach(this::free);
            throw e;
        }
    }

    /** Fills leading blocks from the tier; returns how many. */
    int load(List<BlockId> ids, List<KvBlock> blocks) {
        List<ByteBuffer> destinations = blocks.stream().map(KvBlock::bytes).toList();
        int loaded = tier.load(ids, destinations);
        if (loaded < 0 || loaded > ids.size()) {
            throw new IllegalStateException("the tier says it loaded %d of %d blocks".formatted(loaded, ids.size()));
        }
        return loaded;
    }

    /** Caches a full, named block with one reference, or frees it where its like is cached; returns whether it is kept. */
    boolean keep(KvBlock block) {
        if (cache.add(block)) {
            return true;
        }
        free(block);
        return false;
    }

    /** Gives up the references of one prompt's blocks, root first in the list. */
    void release(List<KvBlock> blocks) {
        cache.release(blocks);
    }

    /** Gives back a block that was never cached. */
    void free(KvBlock block) {
        held--;
        block.slot().release();
    }

    /** Evicts every block that nobody refers to; returns how many. */
    int flush() {
        int count = 0;
        while (evictOne()) {
            count++;
        }
        return count;
    }

    /** Forgets every block that nobody refers to, handing over none of them. */
    void drop() {
        for (KvBlock block = cache.evict(); block != null; block = cache.evict()) {
            free(block);
        }
    }

    private boolean evictOne() {
        KvBlock block = cache.evict();
        if (block == null) {
            return false;
        }
        if (block.inTier()) {
            free(block); // it came from there, and a block of a name never changes
            return true;
        }
        held--;
        leaving.incrementAndGet();
        evictedBlocks++;
        tier.evicted(block.evicted(new LeavingSlot(block.slot())));
        return true;
    }

    int cachedBlocks() {
        return cache.size();
    }

    /** Slots with the tier now. */
    int leaving() {
        return leaving.get();
    }

    /** Blocks handed to the tier so far. */
    long evictedBlocks() {
        return evictedBlocks;
    }

    /** Counts itself out when the tier is done with it. */
    private final class LeavingSlot implements Slot {
        private final Slot slot;

        LeavingSlot(Slot slot) {
            this.slot = slot;
        }

        @Override
        public ByteBuffer buffer() {
            return slot.buffer();
        }

        @Override
        public Slot origin() {
            return slot.origin();
        }

        @Override
        public void release() {
            slot.release();
            leaving.decrementAndGet();
        }
    }
}
