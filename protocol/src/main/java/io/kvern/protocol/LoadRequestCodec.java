package io.kvern.protocol;

import static io.kvern.protocol.AvroWriter.size;

import io.kvern.model.BlockKey;
import io.kvern.model.InvalidInputException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@link LoadRequestEvent} to bytes and back, in the encoding of {@code LoadRequest.v1.avsc}. Stateless; safe in any thread. */
public final class LoadRequestCodec {
    /** Most bytes of an encoded request: every number at its longest, the most keys with the longest ids. */
    public static final int MAX_BYTES = AvroWriter.PREFIX_BYTES
            + 16 // request id
            + 2
            + LoadRequestEvent.MAX_WORKER_BYTES
            + 2
            + LoadRequestEvent.MAX_KEYS * (2 + BlockKey.MAX_BYTES)
            + 1 // keys
            + 10 // epoch
            + 10 // deadline
            + 5 // reply partition
            + 5; // priority

    private LoadRequestCodec() {}

    /** The value of the Kafka record. */
    public static byte[] encode(LoadRequestEvent request) {
        byte[] worker = request.worker().getBytes(StandardCharsets.UTF_8);
        int length = AvroWriter.PREFIX_BYTES + 16 + size(worker.length) + worker.length;
        length += size(request.keys().size());
        for (BlockKey key : request.keys()) {
            length += size(key.length()) + key.length();
        }
        length += 1; // end of the keys
        length += size(request.epoch()) + size(request.deadlineMillis());
        length += size(request.replyPartition()) + size(request.priority());
        AvroWriter out = new AvroWriter(EventSchema.LOAD_REQUEST_V1, length);
        out.fixed(
                request.requestId().getMostSignificantBits(),
                request.requestId().getLeastSignificantBits());
        out.bytes(ByteBuffer.wrap(worker));
        out.number(request.keys().size());
        for (BlockKey key : request.keys()) {
            out.bytes(key.asBuffer());
        }
        out.number(0);
        out.number(request.epoch());
        out.number(request.deadlineMillis());
        out.number(request.replyPartition());
        out.number(request.priority());
        return out.finish();
    }

    /**
     * Reads a record's value.
     *
     * @throws InvalidEventException if no request can have these bytes; nothing else is thrown, whatever the bytes
     */
    public static LoadRequestEvent decode(byte @Nullable [] value) {
        if (value == null) {
            throw new InvalidEventException("record has no value; a load request is needed");
        }
        try {
            AvroReader in = new AvroReader(value);
            in.expect(EventSchema.LOAD_REQUEST_V1);
            UUID requestId = new UUID(in.fixedLong("requestId"), in.fixedLong("requestId"));
            String worker = in.text("worker", LoadRequestEvent.MAX_WORKER_BYTES);
            List<BlockKey> keys = keys(in);
            long epoch = in.number("epoch");
            long deadline = in.number("deadline");
            int replyPartition = in.integer("replyPartition");
            int priority = in.integer("priority");
            in.end();
            return new LoadRequestEvent(requestId, worker, keys, epoch, deadline, replyPartition, priority);
        } catch (InvalidInputException e) {
            throw new InvalidEventException(String.valueOf(e.getMessage()), e);
        }
    }

    private static List<BlockKey> keys(AvroReader in) {
        List<BlockKey> keys = new ArrayList<>();
        int count;
        while ((count = in.items("keys", LoadRequestEvent.MAX_KEYS - keys.size())) > 0) {
            for (int i = 0; i < count; i++) {
                keys.add(in.key("keys"));
            }
        }
        return keys;
    }
}
