package io.kvern.protocol;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Component;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;

/** Another program that has nothing but the schema file and Avro's own library. */
final class AvroPeer {
    private static final Schema CHUNK = EventSchema.BLOCK_CHUNK_V1.schema();

    private AvroPeer() {}

    static byte[] encode(ChunkHeader header, byte[] payload) throws IOException {
        Schema publishId = CHUNK.getField("publishId").schema();
        Schema component = CHUNK.getField("components").schema().getElementType();
        byte[] incarnation = ByteBuffer.allocate(16)
                .putLong(header.publishId().incarnationHigh())
                .putLong(header.publishId().incarnationLow())
                .array();
        List<GenericRecord> components = header.components().stream()
                .map(c -> (GenericRecord) new GenericRecordBuilder(component)
                        .set(
                                "kind",
                                symbol(
                                        component.getField("kind").schema(),
                                        c.kind().name()))
                        .set("length", c.length())
                        .build())
                .toList();
        BlockId parent = header.parentId();
        GenericRecord chunk = new GenericRecordBuilder(CHUNK)
                .set(
                        "publishId",
                        new GenericRecordBuilder(publishId)
                                .set(
                                        "incarnation",
                                        new GenericData.Fixed(
                                                publishId
                                                        .getField("incarnation")
                                                        .schema(),
                                                incarnation))
                                .set("sequence", header.publishId().sequence())
                                .build())
                .set("epoch", header.epoch())
                .set(
                        "mode",
                        symbol(CHUNK.getField("mode").schema(), header.mode().name()))
                .set("totalLength", header.totalLength())
                .set("offset", header.offset())
                .set("blockCrc", header.blockCrc())
                .set("chunkCrc", header.chunkCrc())
                .set("components", components)
                .set("parentId", parent == null ? null : ByteBuffer.wrap(parent.toBytes()))
                .set("createdAt", header.createdAtMillis())
                .set("expiresAt", header.expiresAtMillis() == 0 ? null : header.expiresAtMillis())
                .set("payload", ByteBuffer.wrap(payload))
                .build();
        return encode(CHUNK, chunk);
    }

    static byte[] encode(LoadRequestEvent request) throws IOException {
        Schema schema = EventSchema.LOAD_REQUEST_V1.schema();
        return encode(
                schema,
                new GenericRecordBuilder(schema)
                        .set("requestId", id(schema, request.requestId()))
                        .set("worker", request.worker())
                        .set(
                                "keys",
                                request.keys().stream().map(BlockKey::asBuffer).toList())
                        .set("epoch", request.epoch())
                        .set("deadline", request.deadlineMillis())
                        .set("replyPartition", request.replyPartition())
                        .set("priority", request.priority())
                        .build());
    }

    static byte[] encode(ReplyEvent.Chunk chunk) throws IOException {
        Schema schema = EventSchema.LOADED_CHUNK_V1.schema();
        return encode(
                schema,
                new GenericRecordBuilder(schema)
                        .set("requestId", id(schema, chunk.requestId()))
                        .set("key", chunk.key().asBuffer())
                        .set("offset", chunk.offset())
                        .set("totalLength", chunk.totalLength())
                        .set("blockCrc", chunk.blockCrc())
                        .set("payload", chunk.payload().duplicate())
                        .build());
    }

    static byte[] encode(ReplyEvent.Status status) throws IOException {
        Schema schema = EventSchema.LOAD_STATUS_V1.schema();
        BlockKey key = status.key();
        return encode(
                schema,
                new GenericRecordBuilder(schema)
                        .set("requestId", id(schema, status.requestId()))
                        .set("key", key == null ? null : key.asBuffer())
                        .set(
                                "status",
                                symbol(
                                        schema.getField("status").schema(),
                                        status.status().name()))
                        .set("detail", status.detail())
                        .build());
    }

    private static GenericData.Fixed id(Schema schema, UUID id) {
        byte[] bytes = ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
        return new GenericData.Fixed(schema.getField("requestId").schema(), bytes);
    }

    private static byte[] encode(Schema schema, GenericRecord event) throws IOException {
        ByteBuffer encoded = new BinaryMessageEncoder<GenericRecord>(GenericData.get(), schema).encode(event);
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return bytes;
    }

    static GenericRecord decode(EventSchema schema, byte[] event) throws IOException {
        return new BinaryMessageDecoder<GenericRecord>(GenericData.get(), schema.schema()).decode(event);
    }

    /** The components that a generic reader found, as ours. */
    static List<Component> components(GenericRecord chunk) {
        return ((List<?>) chunk.get("components"))
                .stream()
                        .map(GenericRecord.class::cast)
                        .map(c -> new Component(
                                Component.Kind.valueOf(c.get("kind").toString()), (Integer) c.get("length")))
                        .toList();
    }

    private static GenericData.EnumSymbol symbol(Schema schema, String name) {
        return new GenericData.EnumSymbol(schema, name);
    }
}
