package io.kvern.store;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Where each partition resumes: what the index on disk says, what closed handles left behind that is not there yet, and what
 * was forgotten since. Any thread asks; everything else happens under the gate, on the side that is said.
 */
final class ResumeOffsets {
    private volatile Map<Integer, Long> onDisk;

    /** Forgotten here, though the disk may still have an offset. */
    private volatile Set<Integer> hidden = Set.of();

    private final Map<Integer, Long> leftBehind = new HashMap<>();

    /** Forgotten after the running sync point took the offsets: what it writes is not valid any more. */
    private final Set<Integer> forgottenSinceTaken = new HashSet<>();

    ResumeOffsets(Map<Integer, Long> onDisk) {
        this.onDisk = Map.copyOf(onDisk);
    }

    /** The offset that a crash would leave; {@link PartitionHandle#NONE} where there is none. */
    long durable(int partition) {
        return hidden.contains(partition) ? PartitionHandle.NONE : onDisk.getOrDefault(partition, PartitionHandle.NONE);
    }

    /** Where a handle that is being attached begins. Write side. */
    long begin(int partition) {
        Long left = leftBehind.remove(partition);
        return left != null ? left : durable(partition);
    }

    /** A handle was closed. Write side. */
    void leave(int partition, long resume) {
        leftBehind.put(partition, resume);
    }

    /** Write side. */
    void forget(int partition) {
        Set<Integer> more = new HashSet<>(hidden);
        more.add(partition);
        hidden = Set.copyOf(more);
        forgottenSinceTaken.add(partition);
    }

    /**
     * What a sync point writes: of partitions that are not attached, too, since the log must be able to tell all of them.
     * Write side.
     *
     * @param attached partition to what would be safe to resume from if everything applied were durable
     */
    Map<Integer, Long> take(Map<Integer, Long> attached) {
        forgottenSinceTaken.clear();
        Map<Integer, Long> now = new HashMap<>(onDisk);
        hidden.forEach(partition -> now.put(partition, PartitionHandle.NONE));
        now.putAll(leftBehind);
        now.putAll(attached);
        return now;
    }

    /** Whether the disk says something else. */
    boolean differ(Map<Integer, Long> taken) {
        Map<Integer, Long> disk = onDisk;
        return taken.entrySet().stream()
                .anyMatch(entry ->
                        !disk.getOrDefault(entry.getKey(), PartitionHandle.NONE).equals(entry.getValue()));
    }

    /** The sync point was reached. Read side is enough. */
    void madeDurable(Map<Integer, Long> taken) {
        onDisk = Map.copyOf(taken);
        hidden = Set.copyOf(forgottenSinceTaken);
    }

    /** Back to what the disk says. Write side. */
    void reset(Map<Integer, Long> disk) {
        leftBehind.clear();
        forgottenSinceTaken.clear();
        onDisk = Map.copyOf(disk);
        hidden = Set.of();
    }
}
