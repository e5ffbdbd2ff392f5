package io.kvern.model;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Names a block in the whole system: the Kafka record key and the index key. Immutable.
 *
 * <pre>
 *  0        2                 18
 *  +--------+------------------+----------------------+
 *  | slot   | fingerprint      | id, 1 to 1024 bytes  |
 *  | u16 BE | 16 bytes         |                      |
 *  +--------+------------------+----------------------+
 * </pre>
 *
 * The slot stands first so that a Kafka partition, a contiguous range of slots, is a contiguous range of keys.
 */
public final class BlockKey {
    /** Bytes in front of the id. */
    public static final int PREFIX_BYTES = Short.BYTES + Fingerprint.BYTES;

    /** Longest encoded key. */
    public static final int MAX_BYTES = PREFIX_BYTES + Limits.MAX_ID_BYTES;

    private final byte[] bytes;
    private final int hash;

    private BlockKey(byte[] owned) {
        this.bytes = owned;
        this.hash = Arrays.hashCode(owned);
    }

    public static BlockKey of(Fingerprint fingerprint, BlockId id) {
        return new BlockKey(ByteBuffer.allocate(PREFIX_BYTES + id.length())
                .putShort((short) Slot.of(id))
                .putLong(fingerprint.high())
                .putLong(fingerprint.low())
                .put(id.array())
                .array());
    }

    /**
     * Reads an encoded key, which is copied.
     *
     * @throws InvalidInputException if its length is impossible or its slot is not that of its id
     */
    public static BlockKey decode(byte[] encoded) {
        if (encoded.length <= PREFIX_BYTES || encoded.length > MAX_BYTES) {
            throw new InvalidInputException("block key has %d bytes; %d to %d are allowed"
                    .formatted(encoded.length, PREFIX_BYTES + 1, MAX_BYTES));
        }
        BlockKey key = new BlockKey(encoded.clone());
        int slot = Slot.of(key.id());
        if (slot != key.slot()) {
            throw new InvalidInputException("block key names slot %d; its id has slot %d".formatted(key.slot(), slot));
        }
        return key;
    }

    /** 0 to 16383. */
    public int slot() {
        return ((bytes[0] & 0xff) << 8) | (bytes[1] & 0xff);
    }

    public Fingerprint fingerprint() {
        return Fingerprint.read(ByteBuffer.wrap(bytes), Short.BYTES);
    }

    public BlockId id() {
        return BlockId.of(Arrays.copyOfRange(bytes, PREFIX_BYTES, bytes.length));
    }

    /** Encoded length in bytes. */
    public int length() {
        return bytes.length;
    }

    /** A copy of the encoded key. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    /** A read-only view of the encoded key. */
    public ByteBuffer asBuffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    /** Appends the encoded key to {@code target}. */
    public void writeTo(ByteBuffer target) {
        target.put(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BlockKey that && hash == that.hash && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return fingerprint().toString().substring(0, 8) + "…/" + id();
    }
}
