package io.kvern.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The world in which a block id has one meaning: a name and a spec. One name can have many specs, which share nothing.
 *
 * @param name any text of 1 to {@value #MAX_NAME_BYTES} UTF-8 bytes, {@code org/model} included
 * @param spec what must agree beside the name
 * @param fingerprint the 16 bytes that stand for both
 */
public record Namespace(String name, CacheSpec spec, Fingerprint fingerprint) {
    /** Longest name in UTF-8 bytes. */
    public static final int MAX_NAME_BYTES = 1024;

    public Namespace {
        if (!fingerprint.equals(fingerprintOf(name, spec))) {
            throw new InvalidInputException(
                    "fingerprint %s is not that of namespace '%s'".formatted(fingerprint, name));
        }
    }

    public static Namespace of(String name, CacheSpec spec) {
        return new Namespace(name, spec, fingerprintOf(name, spec));
    }

    /** The namespace of this name whose callers keep everything in their ids. */
    public static Namespace opaque(String name) {
        return of(name, new CacheSpec.Opaque());
    }

    private static Fingerprint fingerprintOf(String name, CacheSpec spec) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        if (utf8.length == 0 || utf8.length > MAX_NAME_BYTES) {
            throw new InvalidInputException(
                    "namespace name has %d UTF-8 bytes; 1 to %d are allowed".formatted(utf8.length, MAX_NAME_BYTES));
        }
        byte[] canonical = spec.canonical();
        return Fingerprint.digest(ByteBuffer.allocate(4 + utf8.length + canonical.length)
                .putInt(utf8.length)
                .put(utf8)
                .put(canonical)
                .array());
    }

    /** How blocks of this namespace are written: once and for all where the spec makes ids content hashes, else last wins. */
    public WriteMode writeMode() {
        return spec.immutable() ? WriteMode.IF_ABSENT : WriteMode.SET;
    }

    public BlockKey key(BlockId id) {
        return BlockKey.of(fingerprint, id);
    }
}
