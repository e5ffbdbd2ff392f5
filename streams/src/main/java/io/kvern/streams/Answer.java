package io.kvern.streams;

import io.kvern.store.BlockInfo;

/** What the node can say of a block. */
public sealed interface Answer {
    /**
     * It is stored.
     *
     * @param current whether the node is sure of any block of this partition now, not only of immutable ones
     */
    record Hit(BlockInfo info, boolean current) implements Answer {}

    /** It is not stored, nor on its way from the part of the log that counts. */
    record Nil() implements Answer {}

    /** Nobody knows here; {@code why} goes to whoever asked. */
    record Unsure(String why) implements Answer {}
}
