package io.kvern.protocol;

import io.kvern.model.BlockKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads one event in the encoding that {@link AvroWriter} draws. Every length is held against the bytes that are there
 * before anything is allocated, and every fault is an {@link InvalidEventException} that names the field.
 */
final class AvroReader {
    private static final VarHandle LONG_LE =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG_BE = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] bytes;
    private final EventSchema schema;
    private int at = AvroWriter.PREFIX_BYTES;

    /** Checks the marker and finds the schema. The array is not copied. */
    AvroReader(byte[] event) {
        if (event.length < AvroWriter.PREFIX_BYTES) {
            throw new InvalidEventException("event has %d bytes; its marker and fingerprint alone have %d"
                    .formatted(event.length, AvroWriter.PREFIX_BYTES));
        }
        if ((event[0] & 0xff) != AvroWriter.MARKER_0 || (event[1] & 0xff) != AvroWriter.MARKER_1) {
            throw new InvalidEventException(
                    "event begins with %02x%02x; Avro's single-object marker is c301".formatted(event[0], event[1]));
        }
        long fingerprint = (long) LONG_LE.get(event, 2);
        EventSchema found = EventSchema.find(fingerprint);
        if (found == null) {
            throw new InvalidEventException(
                    "event has schema fingerprint %016x, which is not known here; a newer Kvern, or another program, wrote it"
                            .formatted(fingerprint));
        }
        this.bytes = event;
        this.schema = found;
    }

    EventSchema schema() {
        return schema;
    }

    /** Refuses an event of another schema. */
    void expect(EventSchema wanted) {
        if (schema != wanted) {
            throw new InvalidEventException(
                    "event is a %s, not a %s".formatted(schema.eventName(), wanted.eventName()));
        }
    }

    /** For an event that is well, but of no kind that its topic has. */
    InvalidEventException misplaced(String where) {
        return new InvalidEventException(
                "event is a %s, which does not belong among %s".formatted(schema.eventName(), where));
    }

    long number(String field) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (at == bytes.length) {
                throw truncated(field);
            }
            byte next = bytes[at++];
            if (shift == 63 && (next & 0xfe) != 0) {
                break;
            }
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return (value >>> 1) ^ -(value & 1);
            }
        }
        throw new InvalidEventException("field %s has a number of more than 64 bits".formatted(field));
    }

    int integer(String field) {
        long value = number(field);
        if (value != (int) value) {
            throw new InvalidEventException("field %s is %d, beyond 32 bits".formatted(field, value));
        }
        return (int) value;
    }

    /** Which branch of a union of null and another was written. */
    boolean present(String field) {
        long branch = number(field);
        if (branch != 0 && branch != 1) {
            throw new InvalidEventException("field %s has branch %d of a union of 2".formatted(field, branch));
        }
        return branch == 1;
    }

    /** Eight bytes of a fixed, big-endian. */
    long fixedLong(String field) {
        if (bytes.length - at < Long.BYTES) {
            throw truncated(field);
        }
        long value = (long) LONG_BE.get(bytes, at);
        at += Long.BYTES;
        return value;
    }

    /**
     * The number of items in the next run of an array, 0 at its end. The byte length that Avro may put behind a negative
     * count is read over: items are small and are read one by one.
     *
     * @param room how many more items the array may have
     */
    int items(String field, int room) {
        long count = number(field);
        if (count < 0) {
            count = -count; // stays negative for the least long, and is refused below
            number(field);
        }
        if (count < 0 || count > room) {
            throw new InvalidEventException(
                    "field %s has a run of %d items where at most %d are possible".formatted(field, count, room));
        }
        return (int) count;
    }

    /** A view of bytes with their length in front; not a copy. */
    ByteBuffer slice(String field, int max) {
        long length = number(field);
        if (length < 0 || length > max) {
            throw new InvalidEventException(
                    "field %s has %d bytes; at most %d are possible".formatted(field, length, max));
        }
        if (length > bytes.length - at) {
            throw new InvalidEventException(
                    "field %s has %d bytes, of which %d are there".formatted(field, length, bytes.length - at));
        }
        ByteBuffer view = ByteBuffer.wrap(bytes, at, (int) length).slice();
        at += (int) length;
        return view;
    }

    /** A block key, copied. */
    BlockKey key(String field) {
        ByteBuffer view = slice(field, BlockKey.MAX_BYTES);
        byte[] key = new byte[view.remaining()];
        view.get(key);
        return BlockKey.decode(key);
    }

    /** A string of at most {@code maxBytes} bytes of UTF-8. */
    String text(String field, int maxBytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(slice(field, maxBytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidEventException("field %s is not UTF-8".formatted(field), e);
        }
    }

    /** Nothing may follow the last field. */
    void end() {
        if (at != bytes.length) {
            throw new InvalidEventException("event has %d bytes behind its last field".formatted(bytes.length - at));
        }
    }

    private InvalidEventException truncated(String field) {
        return new InvalidEventException("event of %d bytes ends within field %s".formatted(bytes.length, field));
    }
}
