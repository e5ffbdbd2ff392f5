package io.kvern.streams;

import io.kvern.store.BlockStore;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The partitions that Streams has given to this node, as owner or standby. Safe in any thread. */
final class AttachedPartitions {
    private final BlocksLog log;
    private final BlockStore store;
    private final AtomicReferenceArray<@Nullable AttachedPartition> slots;
    private volatile Runnable askLog = () -> {};

    AttachedPartitions(BlocksLog log, BlockStore store) {
        this.log = log;
        this.store = store;
        this.slots = new AtomicReferenceArray<>(log.partitions());
    }

    /** Who is told, in the attaching thread, that the log should be asked for its end soon. */
    void onNews(Runnable listener) {
        askLog = listener;
    }

    /** Attaches the partition, once; Streams may initialise a store again without closing it before. */
    synchronized AttachedPartition attach(int partition) {
        AttachedPartition standing = slots.get(partition);
        if (standing != null) {
            return standing;
        }
        AttachedPartition attached = new AttachedPartition(store.attach(log.partition(partition)), () -> askLog.run());
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
