package io.kvern.protocol;

import static io.kvern.protocol.AvroWriter.size;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Component;
import io.kvern.model.InvalidInputException;
import io.kvern.model.Limits;
import io.kvern.model.PublishId;
import io.kvern.model.WriteMode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events of {@code kvern.blocks} to bytes and back. The Avro encoding is written out by hand, since Avro's own readers copy
 * the payload and its writers grow a buffer; what any Avro client writes or reads with {@code BlockChunk.v1.avsc} is the same
 * bytes. The CRCs are carried, not checked. Stateless; safe in any thread.
 */
public final class BlockEventCodec {
    /** Most bytes of an encoded chunk beside its payload: every number at its longest, 64 components, the longest parent id. */
    public static final int MAX_HEADER_BYTES = AvroWriter.PREFIX_BYTES
            + 16 // incarnation
            + 10 // sequence
            + 10 // epoch
            + 1 // mode
            + 4 * 5 // lengths and CRCs
            + 2
            + Component.MAX_PER_BLOCK * 6
            + 1 // components
            + 1
            + 2
            + Limits.MAX_ID_BYTES // parent id
            + 10 // createdAt
            + 1
            + 10 // expiresAt
            + 5; // the payload's length

    private BlockEventCodec() {}

    /** Length in bytes of what {@link #encodeChunk} makes of this header and its payload. */
    public static int encodedLength(ChunkHeader header) {
        return headerLength(header) + header.length();
    }

    /** The part of {@link #encodedLength} that is not payload; at most {@link #MAX_HEADER_BYTES}. */
    public static int headerLength(ChunkHeader header) {
        int length = AvroWriter.PREFIX_BYTES + 16 + size(header.publishId().sequence()) + size(header.epoch()) + 1;
        length += size(header.totalLength()) + size(header.offset());
        length += size(header.blockCrc()) + size(header.chunkCrc());
        if (!header.components().isEmpty()) {
            length += size(header.components().size());
            for (Component component : header.components()) {
                length += 1 + size(component.length());
            }
        }
        length += 1; // end of the components
        BlockId parent = header.parentId();
        length += parent == null ? 1 : 1 + size(parent.length()) + parent.length();
        length += size(header.createdAtMillis());
        length += header.expiresAtMillis() == 0 ? 1 : 1 + size(header.expiresAtMillis());
        return length + size(header.length());
    }

    /**
     * The value of the Kafka record. One array is allocated and the payload is copied once, from heap or direct memory.
     *
     * @param payload the chunk's bytes; its position stays
     * @throws InvalidInputException if {@code payload} has not {@code header.length()} bytes
     */
    public static byte[] encodeChunk(ChunkHeader header, ByteBuffer payload) {
        if (payload.remaining() != header.length()) {
            throw new InvalidInputException("chunk header names %d bytes of payload; %d were given"
                    .formatted(header.length(), payload.remaining()));
        }
        AvroWriter out = new AvroWriter(EventSchema.BLOCK_CHUNK_V1, encodedLength(header));
        PublishId publishId = header.publishId();
        out.fixed(publishId.incarnationHigh(), publishId.incarnationLow());
        out.number(publishId.sequence());
        out.number(header.epoch());
        out.number(header.mode().code());
        out.number(header.totalLength());
        out.number(header.offset());
        out.number(header.blockCrc());
        out.number(header.chunkCrc());
        if (!header.components().isEmpty()) {
            out.number(header.components().size());
            for (Component component : header.components()) {
                out.number(component.kind().code());
                out.number(component.length());
            }
        }
        out.number(0);
        BlockId parent = header.parentId();
        if (parent == null) {
            out.number(0);
        } else {
            out.number(1);
            out.bytes(parent.asBuffer());
        }
        out.number(header.createdAtMillis());
        if (header.expiresAtMillis() == 0) {
            out.number(0);
        } else {
            out.number(1);
            out.number(header.expiresAtMillis());
        }
        out.bytes(payload);
        return out.finish();
    }

    /**
     * Reads a record.
     *
     * @param key the record's key, which is copied
     * @param value the record's value, null for a removal; a chunk's payload is a view of it
     * @throws InvalidEventException if no event can have these bytes; nothing else is thrown, whatever the bytes
     */
    public static BlockEvent decode(byte @Nullable [] key, byte @Nullable [] value) {
        try {
            if (key == null) {
                throw new InvalidEventException("record has no key; a block key is needed");
            }
            BlockKey blockKey = BlockKey.decode(key);
            return value == null ? new BlockEvent.Remove(blockKey) : decode(blockKey, new AvroReader(value));
        } catch (InvalidInputException e) {
            throw new InvalidEventException(String.valueOf(e.getMessage()), e);
        }
    }

    private static BlockEvent decode(BlockKey key, AvroReader in) {
        return switch (in.schema()) {
            case BLOCK_CHUNK_V1 -> chunkV1(key, in);
            default -> throw in.misplaced("blocks");
        };
    }

    private static BlockEvent.Chunk chunkV1(BlockKey key, AvroReader in) {
        PublishId publishId = new PublishId(
                in.fixedLong("publishId.incarnation"),
                in.fixedLong("publishId.incarnation"),
                in.number("publishId.sequence"));
        long epoch = in.number("epoch");
        WriteMode mode = WriteMode.ofCode(in.integer("mode"));
        int totalLength = in.integer("totalLength");
        int offset = in.integer("offset");
        int blockCrc = in.integer("blockCrc");
        int chunkCrc = in.integer("chunkCrc");
        List<Component> components = components(in);
        BlockId parentId = in.present("parentId") ? BlockId.of(in.slice("parentId", Limits.MAX_ID_BYTES)) : null;
        long createdAt = in.number("createdAt");
        long expiresAt = in.present("expiresAt") ? in.number("expiresAt") : 0;
        ByteBuffer payload = in.slice("payload", Limits.MAX_BLOCK_BYTES);
        in.end();
        ChunkHeader header = new ChunkHeader(
                publishId,
                epoch,
                mode,
                totalLength,
                offset,
                payload.remaining(),
                blockCrc,
                chunkCrc,
                components,
                parentId,
                createdAt,
                expiresAt);
        return new BlockEvent.Chunk(key, header, payload);
    }

    private static List<Component> components(AvroReader in) {
        int count = in.items("components", Component.MAX_PER_BLOCK);
        if (count == 0) {
            return List.of();
        }
        List<Component> components = new ArrayList<>(count);
        for (; count > 0; count = in.items("components", Component.MAX_PER_BLOCK - components.size())) {
            for (int i = 0; i < count; i++) {
                Component.Kind kind = Component.Kind.ofCode(in.integer("components.kind"));
                components.add(new Component(kind, in.integer("components.length")));
            }
        }
        return components;
    }
}
