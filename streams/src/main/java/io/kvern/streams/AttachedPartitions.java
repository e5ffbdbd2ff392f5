package io.kvern.streams;

import io.kvern.store.BlockStore;
import io.kvern.store.PartitionHandle;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The partitions that Streams has given to this node, as owner or standby. Safe in any thread. */
final class AttachedPartitions {
    private static final Logger LOG = LoggerFactory.getLogger(AttachedPartitions.class);

    private final BlocksLog log;
    private final BlockStore store;
    private final AtomicReferenceArray<@Nullable AttachedPartition> slots;

    /** Partitions that this process has had: its consumers have seen their log as it was. Under the monitor. */
    private final BitSet attachedBefore = new BitSet();

    private volatile Runnable askLog = () -> {};
    private volatile LogBounds.Source source = partition -> new LogBounds(0, Long.MAX_VALUE);

    AttachedPartitions(BlocksLog log, BlockStore store) {
        this.log = log;
        this.store = store;
        this.slots = new AtomicReferenceArray<>(log.partitions());
    }

    /**
     * Whom to ask about the log.
     *
     * @param news told, in the attaching thread, that the log should be asked for its end soon
     * @param bounds answers what the log has
     */
    void follow(Runnable news, LogBounds.Source bounds) {
        askLog = news;
        source = bounds;
    }

    /** Asks what the log has of a partition. */
    LogBounds boundsOf(int partition) {
        return source.of(partition);
    }

    /**
     * Attaches the partition, once; Streams may initialise a store again without closing it before. A store behind
     * which the log does not go on forgets how far it came.
     *
     * @throws LogLostException if that happened while this process ran; the next attempt finds nothing to forget
     * @throws io.kvern.model.KvernException if Kafka does not say what the log has
     */
    synchronized AttachedPartition attach(int partition) {
        AttachedPartition standing = slots.get(partition);
        if (standing != null) {
            return standing;
        }
        PartitionHandle handle = store.attach(log.partition(partition));
        try {
            long resume = handle.resumeOffset();
            if (resume != PartitionHandle.NONE) {
                LogBounds bounds = source.of(partition);
                if (!bounds.continues(resume)) {
                    String what = "partition %d was applied up to offset %d, and its log has %s"
                            .formatted(partition, resume, bounds);
                    handle.forget();
                    if (attachedBefore.get(partition)) {
                        throw new LogLostException(what);
                    }
                    LOG.warn("While this node was down, {}: it is read again from its start", what);
                }
            }
        } catch (RuntimeException e) {
            handle.close();
            throw e;
        }
        AttachedPartition attached = new AttachedPartition(handle, () -> askLog.run());
        slots.set(partition, attached);
        attachedBefore.set(partition);
        askLog.run();
        return attached;
    }

    synchronized void detach(AttachedPartition attached) {
        if (slots.compareAndSet(attached.partition(), attached, null)) {
            attached.close();
        }
    }

    @Nullable
    AttachedPartition get(int partition) {
        return partition < 0 || partition >= slots.length() ? null : slots.get(partition);
    }

    List<AttachedPartition> all() {
        return IntStream.range(0, slots.length())
                .mapToObj(slots::get)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
    }
}
