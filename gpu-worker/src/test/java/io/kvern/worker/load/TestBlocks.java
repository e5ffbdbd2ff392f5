package io.kvern.worker.load;

import io.kvern.model.BlockId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** Payloads that show every mix-up, and destinations in which every stray byte shows. */
final class TestBlocks {
    static final byte FILL = (byte) 0xA5;
    private static final int MARGIN = 64;

    private TestBlocks() {}

    static BlockId id(int number) {
        return BlockId.of("{%08x}:0/1:0".formatted(number));
    }

    /** Bytes that only this id of this length has. */
    static byte[] payload(BlockId id, int length) {
        byte[] bytes = new byte[length];
        new Random(id.hashCode() * 31L + length).nextBytes(bytes);
        return bytes;
    }

    /** Room for {@code size} bytes with a margin on both sides, all filled. */
    static ByteBuffer room(int size, boolean direct) {
        int whole = size + 2 * MARGIN;
        ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(whole) : ByteBuffer.allocate(whole);
        for (int i = 0; i < whole; i++) {
            buffer.put(i, FILL);
        }
        return buffer.position(MARGIN).limit(MARGIN + size);
    }

    /** Whether the buffer holds exactly {@code block} at its room's start, and everything around the room is untouched. */
    static boolean holds(ByteBuffer buffer, byte[] block) {
        byte[] found = new byte[block.length];
        buffer.get(MARGIN, found);
        return Arrays.equals(found, block) && marginsAreUntouched(buffer);
    }

    static boolean marginsAreUntouched(ByteBuffer buffer) {
        boolean untouched = true;
        for (int i = 0; i < MARGIN; i++) {
            untouched &= buffer.get(i) == FILL && whole(buffer).get(buffer.capacity() - 1 - i) == FILL;
        }
        return untouched;
    }

    static ByteBuffer whole(ByteBuffer buffer) {
        return buffer.duplicate().clear();
    }
}
