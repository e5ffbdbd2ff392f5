package io.kvern.store;

import io.kvern.store.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Space for one block, and a lease that keeps its segment. Ends once, by {@link #settle()}.
 *
 * @param place where in the segment the block begins
 */
record Reservation(Segment segment, long place) {
    void write(ByteBuffer payload, int offset) throws IOException {
        segment.write(payload, place + offset);
    }

    void settle() {
        segment.settle();
        segment.release();
    }
}
