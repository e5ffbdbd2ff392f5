package io.kvern.worker.load;

/** How one exchange with a server ended. */
sealed interface Outcome {
    /** The block is in its room, its CRC right. */
    record Loaded(int length) implements Outcome {}

    /** Nil. */
    record Missing() implements Outcome {}

    /** The block is in its room, but wrong. */
    record WrongCrc(long expected, long found) implements Outcome {}

    /**
     * The room is too small.
     *
     * @param drained whether the payload was read off the connection; where not, the connection is of no more use
     */
    record TooLong(int length, int room, boolean drained) implements Outcome {}

    /** The numbers of a reply that consists of numbers. */
    record Numbers(long first, long second) implements Outcome {}

    /** The server cannot tell, or not yet. */
    record Unsure(String text) implements Outcome {}

    /** The server will not. */
    record Refused(String text) implements Outcome {}

    /** No answer: the connection failed, or none came about. */
    record Lost(String reason) implements Outcome {}
}
