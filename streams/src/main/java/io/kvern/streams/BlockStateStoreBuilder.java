package io.kvern.streams;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.streams.state.StoreBuilder;

/** Makes one {@link BlockStateStore} per task. Its changelog is the source topic, so there is nothing to configure. */
record BlockStateStoreBuilder(AttachedPartitions partitions, RestoreProgress progress, AtomicLong skippedInRestore)
        implements StoreBuilder<BlockStateStore> {
    @Override
    public StoreBuilder<BlockStateStore> withCachingEnabled() {
        return this;
    }

    @Override
    public StoreBuilder<BlockStateStore> withCachingDisabled() {
        return this;
    }

    @Override
    public StoreBuilder<BlockStateStore> withLoggingEnabled(Map<String, String> config) {
        return this;
    }

    @Override
    public StoreBuilder<BlockStateStore> withLoggingDisabled() {
        return this;
    }

    @Override
    public BlockStateStore build() {
        return new BlockStateStore(partitions, progress, skippedInRestore);
    }

    @Override
    public Map<String, String> logConfig() {
        return Map.of();
    }

    @Override
    public boolean loggingEnabled() {
        return false;
    }

    @Override
    public String name() {
        return BlockStateStore.NAME;
    }
}
