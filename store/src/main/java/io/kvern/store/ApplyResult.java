package io.kvern.store;

/** What became of a chunk. */
public enum ApplyResult {
    /** The block is complete and visible. */
    STORED,
    /** Written in place; the block waits for more chunks. */
    PARTIAL,
    /** The same bytes stand there already, this chunk included. */
    DUPLICATE,
    /** Other bytes stand there already and stay ({@code IF_ABSENT}); counted. */
    CONFLICT,
    /** A later record of the log decided this key already. */
    SUPERSEDED,
    /** No room: over the capacity, over the reservations' share, or the disk is full; counted. The block is a miss. */
    REFUSED,
    /** Belongs to a publication that was refused, superseded, cancelled or expired before. */
    ORPHAN
}
