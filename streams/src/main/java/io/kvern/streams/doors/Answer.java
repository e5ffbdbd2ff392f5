package io.kvern.streams.doors;

import io.kvern.store.BlockInfo;

/** What the node can say of a block with certainty. */
sealed interface Answer {
    /**
     * It is stored.
     *
     * @param current whether the node is sure of any block of this partition now, not only of immutable ones
     */
    record Hit(BlockInfo info, boolean current) implements Answer {}

    /** It is not stored, nor on its way from the part of the log that counts. */
    record Nil() implements Answer {}

    /** Nobody knows here; {@code why} goes to the client behind {@code TRYAGAIN}. */
    record Unsure(String why) implements Answer {}
}
