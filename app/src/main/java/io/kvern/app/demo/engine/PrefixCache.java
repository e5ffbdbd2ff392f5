package io.kvern.app.demo.engine;

import io.kvern.model.BlockId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The full blocks in the pool by name, with counted references. A block that nobody refers to stays until its slot is
 * needed; the least recently used goes first, and of one prompt the last block, so that no block outlives its parent.
 *
 * <p>Belongs to the engine's thread.
 */
final class PrefixCache {
    private final Map<BlockId, KvBlock> blocks = new HashMap<>();
    private final LinkedHashSet<KvBlock> unreferenced = new LinkedHashSet<>();

    /** The leading run of {@code ids} that is cached, each block with one reference more. */
    List<KvBlock> take(List<BlockId> ids) {
        List<KvBlock> run = new ArrayList<>();
        for (BlockId id : ids) {
            KvBlock block = blocks.get(id);
            if (block == null) {
                break;
            }
            block.reference();
            unreferenced.remove(block);
            run.add(block);
        }
        return run;
    }

    /**
     * Adds a named block, with one reference.
     *
     * @return false, and nothing is done, where another block has this name already
     */
    boolean add(KvBlock block) {
        if (blocks.putIfAbsent(block.id(), block) != null) {
            return false;
        }
        block.reference();
        return true;
    }

    /** Takes one reference from each block of a prompt, root first in the list. */
    void release(List<KvBlock> run) {
        for (KvBlock block : run.reversed()) {
            if (block.dereference()) {
                unreferenced.add(block);
            }
        }
    }

    /** Removes the least recently used block that nobody refers to; null where there is none. */
    @Nullable
    KvBlock evict() {
        Iterator<KvBlock> oldest = unreferenced.iterator();
        if (!oldest.hasNext()) {
            return null;
        }
        KvBlock block = oldest.next();
        oldest.remove();
        blocks.remove(block.id());
        return block;
    }

    int size() {
        return blocks.size();
    }

    int evictable() {
        return unreferenced.size();
    }
}
