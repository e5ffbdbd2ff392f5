package io.kvern.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A block held open: its segment stays on disk, evicted or not, until {@link #close()}. One thread at a time. */
public interface BlockLease extends AutoCloseable {
    BlockInfo info();

    /**
     * Fills {@code destination} with the block's bytes from {@code offset}; unverified.
     *
     * @throws IOException where the disk fails, or the bytes end before the destination is full
     */
    void read(int offset, ByteBuffer destination) throws IOException;

    @Override
    void close();
}
