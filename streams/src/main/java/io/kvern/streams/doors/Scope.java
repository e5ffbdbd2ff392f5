package io.kvern.streams.doors;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.Fingerprint;
import io.kvern.model.Namespace;
import io.kvern.model.WriteMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The namespace that a session speaks in.
 *
 * @param name as the client gave it
 * @param fingerprint of its keys
 * @param mode of its writes
 */
record Scope(String name, Fingerprint fingerprint, WriteMode mode) {
    private static final Pattern WITH_FINGERPRINT = Pattern.compile("(?s)(.*)#(\\p{XDigit}{32})");

    /** What a client gets that names none. */
    static final Scope DEFAULT = of("default");

    /**
     * The scope of an {@code AUTH} user: {@code name} for its opaque spec, {@code name#fingerprint} for another, which is that
     * of an engine: its blocks, once stored, never change.
     */
    static Scope of(String user) {
        Matcher matcher = WITH_FINGERPRINT.matcher(user);
        if (matcher.matches()) {
            return new Scope(user, Fingerprint.parse(matcher.group(2)), WriteMode.IF_ABSENT);
        }
        Namespace namespace = Namespace.opaque(user);
        return new Scope(user, namespace.fingerprint(), namespace.writeMode());
    }

    BlockKey key(BlockId id) {
        return BlockKey.of(fingerprint, id);
    }
}
