package io.kvern.app.demo.engine;

import io.kvern.model.BlockId;
import io.kvern.model.Component;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps blocks in a map: a tier without anything that could go wrong, except on request. */
public final class MemoryTier implements BlockTier {
    private final Map<BlockId, byte[]> blocks = new LinkedHashMap<>();
    private final List<BlockId> arrivals = new ArrayList<>();
    private final Map<BlockId, @Nullable BlockId> parents = new LinkedHashMap<>();
    private boolean damage;
    private int loaded;

    @Override
    public synchronized void evicted(EvictedBlock block) {
        int described = block.components().stream().mapToInt(Component::length).sum();
        if (described != block.length()) {
            throw new IllegalStateException("components have %d of %d bytes".formatted(described, block.length()));
        }
        byte[] copy = new byte[block.length()];
        block.bytes().get(copy);
        blocks.put(block.id(), copy);
        arrivals.add(block.id());
        parents.put(block.id(), block.parentId());
        block.slot().release();
    }

    @Override
    public synchronized int load(List<BlockId> ids, List<ByteBuffer> destinations) {
        int count = 0;
        for (BlockId id : ids) {
            byte[] bytes = blocks.get(id);
            ByteBuffer destination = destinations.get(count);
            if (bytes == null) {
                break;
            }
            if (bytes.length != destination.remaining()) {
                throw new IllegalStateException(
                        "%d bytes for a block of %d".formatted(destination.remaining(), bytes.length));
            }
            destination.duplicate().put(bytes);
            if (damage) {
                // The exponent of the last value: what a checksum is for.
                int at = destination.limit() - 1;
                destination.put(at, (byte) (destination.get(at) ^ 0x40));
            }
            count++;
        }
        loaded += count;
        return count;
    }

    /** From now on one bit of every loaded block is wrong. */
    public synchronized void damageLoads() {
        damage = true;
    }

    public synchronized void clear() {
        blocks.clear();
    }

    public synchronized void remove(BlockId id) {
        blocks.remove(id);
    }

    public synchronized int size() {
        return blocks.size();
    }

    /** Blocks loaded so far. */
    public synchronized int loaded() {
        return loaded;
    }

    /** Ids in the order in which they came, again for each time. */
    synchronized List<BlockId> arrivals() {
        return List.copyOf(arrivals);
    }

    synchronized @Nullable BlockId parent(BlockId id) {
        return parents.get(id);
    }
}
