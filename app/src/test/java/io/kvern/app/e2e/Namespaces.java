package io.kvern.app.e2e;

import io.kvern.model.CacheSpec;
import io.kvern.model.Namespace;

/** The two kinds. */
final class Namespaces {
    /** Immutable: written {@code IF_ABSENT}. */
    static final Namespace ENGINE = Namespace.of(
            "test/engine",
            new CacheSpec.Engine("bf16", 32, 8, 128, 64, 1, "layer,kv,token", "sha256", "0", "1", "weights-1"));

    /** Written {@code SET}. */
    static final Namespace OPAQUE = Namespace.opaque("test/opaque");

    private Namespaces() {}
}
