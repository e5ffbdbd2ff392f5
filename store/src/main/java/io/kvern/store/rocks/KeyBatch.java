package io.kvern.store.rocks;

import io.kvern.model.BlockKey;
import io.kvern.store.segment.LocationCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Keys in direct memory, and room for their values, since the engine takes no other for many at once. One thread; filled again
 * and again.
 */
final class KeyBatch {
    private static final int MAX_KEYS = 128;
    private static final int KEY_BYTES = 32 << 10;

    private final ByteBuffer keyMemory = ByteBuffer.allocateDirect(KEY_BYTES);
    private final List<ByteBuffer> rooms = new ArrayList<>(MAX_KEYS);
    private final List<ByteBuffer> keys = new ArrayList<>(MAX_KEYS);

    KeyBatch() {
        ByteBuffer memory = ByteBuffer.allocateDirect(MAX_KEYS * LocationCodec.MAX_BYTES);
        for (int i = 0; i < MAX_KEYS; i++) {
            rooms.add(memory.slice(i * LocationCodec.MAX_BYTES, LocationCodec.MAX_BYTES));
        }
    }

    /** Takes as many of the first keys as there is room for, at least one. */
    void fill(List<BlockKey> wanted) {
        keys.clear();
        keyMemory.clear();
        for (BlockKey key : wanted) {
            if (keys.size() == MAX_KEYS || keyMemory.remaining() < key.length()) {
                break;
            }
            int from = keyMemory.position();
            key.writeTo(keyMemory);
            keys.add(keyMemory.slice(from, key.length()));
        }
        rooms.forEach(ByteBuffer::clear);
    }

    List<ByteBuffer> keys() {
        return keys;
    }

    /** As many rooms as there are keys. */
    List<ByteBuffer> values() {
        return rooms.subList(0, keys.size());
    }
}
