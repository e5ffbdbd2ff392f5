package io.kvern.store.segment;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One file of a segment. Positional, so any number of threads may use it at once. */
public interface SegmentFile extends AutoCloseable {
    /** As {@link java.nio.channels.FileChannel#read(ByteBuffer, long)}. */
    int read(ByteBuffer to, long position) throws IOException;

    /** Writes all remaining bytes. */
    void write(ByteBuffer from, long position) throws IOException;

    /** Makes everything written so far durable, or throws: then nothing is known of any of it. */
    void force() throws IOException;

    long size() throws IOException;

    @Override
    void close() throws IOException;
}
