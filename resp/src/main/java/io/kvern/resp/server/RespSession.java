package io.kvern.resp.server;

/** What one connection talks to. Made when the client connects; its commands come one after the other, in order. */
public interface RespSession extends AutoCloseable {
    /**
     * Answers one command with exactly one value, on a thread that may block.
     *
     * @param command valid until this method returns
     * @param reply valid until this method returns
     * @throws Exception answered as {@code -ERR internal error}, or, where a part of the reply is out already, by closing the
     *     connection: a client must never take half a reply for a whole one
     */
    void handle(RespCommand command, RespReply reply) throws Exception;

    /** The client has gone and the last command has ended. Called once. */
    @Override
    default void close() {}
}
