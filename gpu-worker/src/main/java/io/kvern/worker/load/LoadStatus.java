package io.kvern.worker.load;

/** How the load of one block ended. Only {@link #LOADED} says anything of the destination's bytes. */
public enum LoadStatus {
    /** Every byte is in the destination, and its CRC32C is the one that was taken where the block was made. */
    LOADED,
    /** The owner of the key is sure that it is not stored. */
    MISS,
    /** The bytes that came were wrong, twice; the store was told. */
    CORRUPT,
    /** The deadline passed first. */
    LATE,
    /** The server, or this loader, will not do it: the detail says why, with the numbers. */
    REFUSED,
    /** Nobody who could be reached was sure: an owner that catches up, or one that is down. */
    UNSURE
}
