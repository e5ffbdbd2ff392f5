package io.kvern.streams;

import io.kvern.store.PartitionHandle;

/**
 * What Kafka has of one partition.
 *
 * @param start offset of its first record
 * @param end offset of the record that comes next
 */
record LogBounds(long start, long end) {
    /** Whom to ask. */
    interface Source {
        /** @throws io.kvern.model.KvernException if Kafka does not say in time */
        LogBounds of(int partition);
    }

    /**
     * Whether the log goes on behind {@code applied}: neither has it lost its end, so that other records take offsets that
     * were applied, nor has retention taken away records that were not.
     *
     * @param applied the last offset applied, {@link PartitionHandle#NONE} where nothing hangs on it
     */
    boolean continues(long applied) {
        return applied == PartitionHandle.NONE || (start <= applied + 1 && applied < end);
    }

    @Override
    public String toString() {
        return "offsets %d to %d".formatted(start, end - 1);
    }
}
