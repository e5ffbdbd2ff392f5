package io.kvern.store;

/** How a read ended. Only {@link Loaded} promises anything of the destination's bytes. */
public sealed interface ReadResult {
    /** The destination holds exactly the block, verified. */
    record Loaded(BlockInfo info) implements ReadResult {}

    /** No such block here. */
    record Absent() implements ReadResult {}

    /** The stored bytes were damaged; the block was dropped and counted, and is absent from now on. */
    record Corrupt(BlockInfo info) implements ReadResult {}

    /** The destination had room for {@code remaining} bytes only; nothing was read. */
    record DestinationTooSmall(BlockInfo info, int remaining) implements ReadResult {}

    /** The disk answered with an error; the block stays, and was counted. */
    record Failed(BlockInfo info, String reason) implements ReadResult {}
}
