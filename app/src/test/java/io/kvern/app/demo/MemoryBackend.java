package io.kvern.app.demo;

import io.kvern.app.demo.engine.BlockMemory;
import io.kvern.app.demo.engine.BlockTier;
import io.kvern.app.demo.engine.MemoryTier;
import io.kvern.app.demo.engine.OffHeapMemory;

/** A backend without a log, a store or a network: all blocks in one map, shared by all workers. */
final class MemoryBackend implements DemoBackend {
    final MemoryTier tier = new MemoryTier();
    Runnable onReplace = () -> {};
    int workers;
    int open;

    @Override
    public WorkerLink startWorker(String name, int slots, int slotBytes) {
        workers++;
        open++;
        OffHeapMemory memory = new OffHeapMemory(slots, slotBytes);
        return new WorkerLink() {
            @Override
            public BlockMemory memory() {
                return memory;
            }

            @Override
            public BlockTier tier() {
                return tier;
            }

            @Override
            public void close() {
                if (memory.available() != slots) {
                    throw new IllegalStateException(
                            "%s kept %d of %d slots".formatted(name, slots - memory.available(), slots));
                }
                open--;
            }
        };
    }

    @Override
    public void awaitStored() {
        // A map stores at once.
    }

    @Override
    public Replay replaceStoreNode(Progress progress) {
        onReplace.run();
        return new Replay(tier.size(), 0, 1);
    }

    @Override
    public Counts counts() {
        return new Counts(tier.size(), 0, 0, tier.size(), 0, tier.loaded(), 0, 0);
    }
}
