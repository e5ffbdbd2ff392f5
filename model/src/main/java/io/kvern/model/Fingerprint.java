package io.kvern.model;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** 16 bytes that stand for a namespace: the leading bytes of SHA-256 over its canonical encoding. */
public record Fingerprint(long high, long low) {
    /** Encoded length in bytes. */
    public static final int BYTES = 16;

    static Fingerprint digest(byte[] canonical) {
        try {
            ByteBuffer hash =
                    ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(canonical));
            return new Fingerprint(hash.getLong(), hash.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Reads the fingerprint at {@code index}, big-endian. */
    public static Fingerprint read(ByteBuffer from, int index) {
        return new Fingerprint(from.getLong(index), from.getLong(index + 8));
    }

    /** Reads what {@link #toString} wrote: 32 hex digits. */
    public static Fingerprint parse(String hex) {
        try {
            if (hex.length() == 2 * BYTES) {
                return read(ByteBuffer.wrap(HexFormat.of().parseHex(hex)), 0);
            }
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("fingerprint '%s' is not hexadecimal".formatted(hex), e);
        }
        throw new InvalidInputException(
                "fingerprint '%s' has %d characters; %d hex digits are needed".formatted(hex, hex.length(), 2 * BYTES));
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
