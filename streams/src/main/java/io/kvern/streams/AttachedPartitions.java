package io.kvern.streams;

import io.kvern.store.BlockStore;
import io.kvern.store.PartitionHandle;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntToLongFunction;
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
    private volatile Runnable askLog = () -> {};
    private volatile IntToLongFunction endOf = partition -> Long.MAX_VALUE;

    AttachedPartitions(BlocksLog log, BlockStore store) {
        this.log = log;
        this.store = store;
        this.slots = new AtomicReferenceArray<>(log.partitions());
    }

    /**
     * Whom to ask about the log.
     *
     * @param news told, in the attaching thread, that the log should be asked for its end soon
     * @param end answers where a partition ends, or throws
     */
    void follow(Runnable news, IntToLongFunction end) {
        askLog = news;
        endOf = end;
    }

    /**
     * Attaches the partition, once; Streams may initialise a store again without closing it before. A store that was filled
     * beyond the log's end forgets how far it came: the log has lost its end, and other records take those offsets.
     *
     * @throws io.kvern.model.KvernException if Kafka does not say where the partition ends
     */
    synchronized AttachedPartition attach(int partition) {
        AttachedPartition standing = slots.get(partition);
        if (standing != null) {
            return standing;
        }
        PartitionHandle handle = store.attach(log.partition(partition));
        try {
            if (handle.resumeOffset() != PartitionHandle.NONE) {
                long end = endOf.applyAsLong(partition);
                if (handle.resumeOffset() >= end) {
                    LOG.warn(
                            "The log of partition {} ends at offset {}, and {} was applied: it has lost its end, and"
                                    + " is read again from its start",
                            partition,
                            end,
                            handle.resumeOffset());
                    handle.forget();
                }
            }
        } catch (RuntimeException e) {
            handle.close();
            throw e;
        }
        AttachedPartition attached = new AttachedPartition(handle, () -> askLog.run());
        slots.set(partition, attached);
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
