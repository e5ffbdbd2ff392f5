package io.kvern.worker.log;

import io.kvern.protocol.ReplyEvent;
import io.kvern.worker.load.Room;
import java.nio.ByteBuffer;

/**
 * Puts the chunks of one block in their place. Answers come at least once, and two may interleave: what fits behind the
 * bytes that are there is taken, what is there already is passed over, and a first chunk of another content starts over. The
 * CRC over all that was taken has the last word. Only the reader's thread comes here.
 */
final class BlockAssembly {
    /** What a chunk did. */
    enum Step {
        /** Taken; more is to come. */
        TAKEN,
        /** Had already, or of no use: one before it is missing. */
        IGNORED,
        /** Every byte is there, and right. */
        COMPLETE,
        /** Every byte is there, and the CRC is wrong. */
        WRONG,
        /** The block is larger than the room. */
        TOO_LONG,
        /** The room was shut before. */
        SHUT
    }

    private final Room room;

    /** Of the block under way; 0 where there is none. */
    private int totalLength;

    private int blockCrc;

    /** Bytes that are there. */
    private int length;

    BlockAssembly(Room room) {
        this.room = room;
    }

    Step take(ReplyEvent.Chunk chunk) {
        if (chunk.totalLength() != totalLength || chunk.blockCrc() != blockCrc) {
            if (chunk.offset() != 0) {
                return Step.IGNORED;
            }
            if (chunk.totalLength() > room.capacity()) {
                return Step.TOO_LONG;
            }
            if (!room.begin(chunk.totalLength())) {
                return Step.SHUT;
            }
            totalLength = chunk.totalLength();
            blockCrc = chunk.blockCrc();
            length = 0;
        }
        if (chunk.offset() != length) {
            return Step.IGNORED;
        }
        ByteBuffer payload = chunk.payload();
        int end = payload.limit();
        while (payload.position() < end) {
            // In pieces that stay in the core's cache between the copy and the sum.
            payload.limit(Math.min(end, payload.position() + Room.READ_BYTES));
            if (!room.take(payload)) {
                return Step.SHUT;
            }
        }
        length += end;
        if (length < totalLength) {
            return Step.TAKEN;
        }
        boolean right = (int) room.crc() == blockCrc;
        totalLength = 0; // whatever comes next starts over
        return right ? Step.COMPLETE : Step.WRONG;
    }
}
