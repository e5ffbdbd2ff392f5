package io.kvern.model;

/** Sizes that every module agrees on, in bytes. */
public final class Limits {
    /** Longest block id. Fixed: ids travel as Kafka record keys and stand in the index. */
    public static final int MAX_ID_BYTES = 1024;

    /** Largest block unless {@code block.max.bytes} says otherwise: 64 MiB. */
    public static final int DEFAULT_MAX_BLOCK_BYTES = 64 << 20;

    /** Largest value that {@code block.max.bytes} may take: 1 GiB, so that lengths and offsets fit in an int everywhere. */
    public static final int MAX_BLOCK_BYTES = 1 << 30;

    private Limits() {}
}
