package io.kvern.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Names a block inside a namespace: 1 to {@value Limits#MAX_ID_BYTES} opaque bytes, made by the engine. Immutable. */
public final class BlockId {
    private final byte[] bytes;

    private BlockId(byte[] owned) {
        if (owned.length == 0 || owned.length > Limits.MAX_ID_BYTES) {
            throw new InvalidInputException(
                    "block id has %d bytes; 1 to %d are allowed".formatted(owned.length, Limits.MAX_ID_BYTES));
        }
        this.bytes = owned;
    }

    /** Copies {@code bytes}. */
    public static BlockId of(byte[] bytes) {
        return new BlockId(bytes.clone());
    }

    /** The remaining bytes of {@code bytes}, copied; the buffer's position stays. */
    public static BlockId of(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(bytes.position(), copy);
        return new BlockId(copy);
    }

    /** The UTF-8 bytes of {@code text}. */
    public static BlockId of(String text) {
        return new BlockId(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The canonical id of one rank's part of a block: the chained prefix hash in lower-case hex as a Redis hash tag, so
     * that all ranks and groups of one block fall into one slot and have one owner.
     *
     * @param hash the engine's block hash, 1 byte or more
     * @param rank tensor-parallel rank, 0 to {@code worldSize - 1}
     * @param worldSize number of tensor-parallel ranks, at least 1
     * @param group layer group, 0 or more
     */
    public static BlockId of(byte[] hash, int rank, int worldSize, int group) {
        if (hash.length == 0) {
            throw new InvalidInputException("block hash has 0 bytes; at least 1 is needed");
        }
        if (worldSize < 1 || rank < 0 || rank >= worldSize) {
            throw new InvalidInputException("rank %d is not within a world of %d ranks".formatted(rank, worldSize));
        }
        if (group < 0) {
            throw new InvalidInputException("layer group is %d; 0 or more is needed".formatted(group));
        }
        return of("{" + HexFormat.of().formatHex(hash) + "}:" + rank + "/" + worldSize + ":" + group);
    }

    /** Length in bytes, 1 to {@value Limits#MAX_ID_BYTES}. */
    public int length() {
        return bytes.length;
    }

    /** A copy of the bytes. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    /** A read-only view of the bytes. */
    public ByteBuffer asBuffer() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    byte[] array() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BlockId that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Readable: the text where every byte is printable ASCII, else {@code 0x} and hex; cut after 80 characters. */
    @Override
    public String toString() {
        boolean printable = true;
        for (byte b : bytes) {
            printable &= b > 0x20 && b < 0x7f;
        }
        String text = printable
                ? new String(bytes, StandardCharsets.US_ASCII)
                : "0x" + HexFormat.of().formatHex(bytes);
        return text.length() <= 80 ? text : text.substring(0, 80) + "…(" + bytes.length + " bytes)";
    }
}
