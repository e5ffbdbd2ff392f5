package io.kvern.streams;

/** What an answer of this node about a key is worth. */
public enum Certainty {
    /** The node has applied the key's partition up to where the log ended at assignment, and hears from Kafka: nil means nil. */
    CURRENT,
    /** Attached, but a later record may not have arrived: only hits of {@code IF_ABSENT} blocks are certain. */
    UNSURE,
    /** The key's partition is not attached to this node. */
    ELSEWHERE
}
