package io.kvern.protocol;

import static io.kvern.protocol.AvroWriter.size;

import io.kvern.model.BlockKey;
import io.kvern.model.InvalidInputException;
import io.kvern.model.Limits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Events of {@code kvern.replies} to bytes and back. A chunk is encoded without its payload, which is then read from disk
 * right into its place; a decoded one is a view of the record. The CRCs are carried, not checked. Stateless; safe in any
 * thread.
 */
public final class ReplyEventCodec {
    /** Most bytes of an encoded chunk beside its payload: every number at its longest, the longest key. */
    public static final int MAX_HEADER_BYTES = AvroWriter.PREFIX_BYTES
            + 16 // request id
            + 2
            + BlockKey.MAX_BYTES
            + 3 * 5 // lengths and CRC
            + 5; // the payload's length

    /** Longest detail of a status in bytes of UTF-8; a longer one is cut. */
    public static final int MAX_DETAIL_BYTES = 1024;

    private ReplyEventCodec() {}

    /**
     * The value of a chunk's Kafka record, all but its payload: {@link #payload} is to be filled before it is sent.
     *
     * @param length of the payload in bytes
     * @throws InvalidInputException if the numbers can belong to no block
     */
    public static byte[] chunkFrame(
            UUID requestId, BlockKey key, int offset, int totalLength, int blockCrc, int length) {
        ReplyEvent.checkPlace(offset, length, totalLength);
        int bytes = AvroWriter.PREFIX_BYTES + 16 + size(key.length()) + key.length();
        bytes += size(offset) + size(totalLength) + size(blockCrc) + size(length) + length;
        AvroWriter out = new AvroWriter(EventSchema.LOADED_CHUNK_V1, bytes);
        out.fixed(requestId.getMostSignificantBits(), requestId.getLeastSignificantBits());
        out.bytes(key.asBuffer());
        out.number(offset);
        out.number(totalLength);
        out.number(blockCrc);
        out.gap(length);
        return out.finish();
    }

    /** The payload's place in a frame of {@link #chunkFrame}: a view of its last {@code length} bytes. */
    public static ByteBuffer payload(byte[] frame, int length) {
        return ByteBuffer.wrap(frame, frame.length - length, length).slice();
    }

    /** The value of a status's Kafka record. */
    public static byte[] encodeStatus(ReplyEvent.Status status) {
        BlockKey key = status.key();
        ByteBuffer detail = cut(status.detail());
        int length = AvroWriter.PREFIX_BYTES + 16;
        length += key == null ? 1 : 1 + size(key.length()) + key.length();
        length += size(status.status().code()) + size(detail.remaining()) + detail.remaining();
        AvroWriter out = new AvroWriter(EventSchema.LOAD_STATUS_V1, length);
        out.fixed(
                status.requestId().getMostSignificantBits(), status.requestId().getLeastSignificantBits());
        if (key == null) {
            out.number(0);
        } else {
            out.number(1);
            out.bytes(key.asBuffer());
        }
        out.number(status.status().code());
        out.bytes(detail);
        return out.finish();
    }

    private static ByteBuffer cut(String detail) {
        ByteBuffer utf8 = ByteBuffer.wrap(detail.getBytes(StandardCharsets.UTF_8));
        int limit = Math.min(MAX_DETAIL_BYTES, utf8.limit());
        while (limit < utf8.limit() && (utf8.get(limit) & 0xC0) == 0x80) {
            limit--; // not within a character
        }
        return utf8.limit(limit);
    }

    /**
     * Reads a record's value.
     *
     * @param value a chunk's payload is a view of it
     * @throws InvalidEventException if no event can have these bytes; nothing else is thrown, whatever the bytes
     */
    public static ReplyEvent decode(byte @Nullable [] value) {
        if (value == null) {
            throw new InvalidEventException("record has no value; a reply is needed");
        }
        try {
            AvroReader in = new AvroReader(value);
            return switch (in.schema()) {
                case LOADED_CHUNK_V1 -> chunkV1(in);
                case LOAD_STATUS_V1 -> statusV1(in);
                default -> throw in.misplaced("replies");
            };
        } catch (InvalidInputException e) {
            throw new InvalidEventException(String.valueOf(e.getMessage()), e);
        }
    }

    private static ReplyEvent.Chunk chunkV1(AvroReader in) {
        UUID requestId = new UUID(in.fixedLong("requestId"), in.fixedLong("requestId"));
        BlockKey key = in.key("key");
        int offset = in.integer("offset");
        int totalLength = in.integer("totalLength");
        int blockCrc = in.integer("blockCrc");
        ByteBuffer payload = in.slice("payload", Limits.MAX_BLOCK_BYTES);
        in.end();
        return new ReplyEvent.Chunk(requestId, key, offset, totalLength, blockCrc, payload);
    }

    private static ReplyEvent.Status statusV1(AvroReader in) {
        UUID requestId = new UUID(in.fixedLong("requestId"), in.fixedLong("requestId"));
        BlockKey key = in.present("key") ? in.key("key") : null;
        LoadAnswer status = LoadAnswer.ofCode(in.integer("status"));
        String detail = in.text("detail", MAX_DETAIL_BYTES);
        in.end();
        return new ReplyEvent.Status(requestId, key, status, detail);
    }
}
