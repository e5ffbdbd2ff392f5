package io.kvern.store;

/**
 * One attached partition: its writer, its remover and its offsets. Offsets are those of the last record applied, not of the
 * next one to come; {@link #NONE} where there is none.
 */
public interface PartitionHandle extends BlockWriter, BlockRemover, AutoCloseable {
    /** No offset is known. */
    long NONE = -1;

    int partition();

    /** Offset of the last record applied through this handle, or the resume offset it began with. Any thread. */
    long applied();

    /**
     * The last offset that is safe on disk with all its effects: after a crash, applying from the next one loses nothing.
     * Any thread.
     */
    long resumeOffset();

    /**
     * Forgets the resume offset, because the log no longer reaches back to it, and with it this partition's {@code SET}
     * blocks, which the lost part of the log may have changed. {@code IF_ABSENT} blocks stay.
     */
    void forget();

    /** Freezes the resume offset, then drops the open partials; the partition's blocks are no longer found. */
    @Override
    void close();
}
