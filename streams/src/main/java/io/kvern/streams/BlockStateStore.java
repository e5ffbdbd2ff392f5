package io.kvern.streams;

import io.kvern.protocol.InvalidEventException;
import io.kvern.store.PartitionHandle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Kafka Streams sees of one partition of the block store: a store that manages its own offsets. It holds no data; the
 * partition handle does.
 *
 * <p>Streams reports offsets of the last record applied. It keeps one object per task over active and standby phases, and
 * says with a commit of no offsets at all that the persisted offset is of no use any more (the log no longer reaches it).
 */
final class BlockStateStore implements StateStore {
    static final String NAME = "kvern-blocks";

    private static final Logger LOG = LoggerFactory.getLogger(BlockStateStore.class);

    private final AttachedPartitions partitions;
    private final RestoreProgress progress;
    private final AtomicLong skippedInRestore;
    private volatile @Nullable AttachedPartition attached;

    BlockStateStore(AttachedPartitions partitions, RestoreProgress progress, AtomicLong skippedInRestore) {
        this.partitions = partitions;
        this.progress = progress;
        this.skippedInRestore = skippedInRestore;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        mark(context.stateDir().toPath());
        int partition = context.taskId().partition();
        attached = partitions.attach(partition);
        // The callback of the DSL's own stores: the public ones tell no offsets, and without them nothing is
        // idempotent.
        context.register(root, (RecordBatchingStateRestoreCallback) this::restore);
    }

    /** Without a file of ours a restarted member's task directory counts as empty, and the task as cold. */
    private static void mark(Path stateDir) {
        try {
            Files.createDirectories(stateDir);
            Path marker = stateDir.resolve("blocks-are-in-the-block-store");
            if (Files.notExists(marker)) {
                Files.createFile(marker);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to the Streams state directory " + stateDir, e);
        }
    }

    /** Never throws on bad bytes: in restore no handler stands behind, and the thread would die on them for ever. */
    private void restore(Collection<ConsumerRecord<byte[], byte[]>> batch) {
        refuseLostLog();
        AttachedPartition partition = partition();
        for (ConsumerRecord<byte[], byte[]> event : batch) {
            progress.restored(Math.max(0, event.serializedValueSize()));
            try {
                BlockApplier.apply(partition, event.key(), event.value(), event.offset(), event.timestamp());
            } catch (InvalidEventException e) {
                skippedInRestore.incrementAndGet();
                LOG.warn(
                        "Skipped an invalid record while restoring partition {} at offset {}: {}",
                        partition.partition(),
                        event.offset(),
                        e.getMessage());
            }
        }
    }

    /**
     * Ends the stream thread where the log has lost records; the next one restores from the log's start.
     *
     * @throws LogLostException if it has
     */
    void refuseLostLog() {
        partition().forgetLostLog();
    }

    /** Asks Kafka whether it still has what comes behind {@code applied}. */
    boolean logContinues(long applied) {
        return partitions.boundsOf(partition().partition()).continues(applied);
    }

    AttachedPartition partition() {
        AttachedPartition current = attached;
        if (current == null) {
            throw new IllegalStateException("the block state store is not initialised");
        }
        return current;
    }

    /** Deprecated from the start, because stores that do not manage their offsets are to go; Streams asks it all the same. */
    @Override
    @SuppressWarnings("deprecation")
    public boolean managesOffsets() {
        return true;
    }

    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        if (changelogOffsets.isEmpty()) {
            AttachedPartition partition = partition();
            LOG.warn(
                    "The log no longer reaches back to offset {} of partition {}: restoring from its start",
                    partition.handle().resumeOffset(),
                    partition.partition());
            partition.handle().forget();
        }
        // Nothing else: offsets come from applied records and become durable at the store's own sync points.
    }

    @Override
    public @Nullable Long committedOffset(TopicPartition partition) {
        long offset = partition().handle().resumeOffset();
        return offset == PartitionHandle.NONE ? null : offset;
    }

    @Override
    public void close() {
        AttachedPartition current = attached;
        attached = null;
        if (current != null) {
            partitions.detach(current);
        }
    }

    @Override
    public boolean persistent() {
        return true;
    }

    @Override
    public boolean isOpen() {
        return attached != null;
    }
}
