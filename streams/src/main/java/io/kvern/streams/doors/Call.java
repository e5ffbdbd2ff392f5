package io.kvern.streams.doors;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.resp.server.RespCommand;
import io.kvern.resp.server.RespReply;

/** One command of a session, on its way through a {@link Command}. */
record Call(DoorSession session, RespCommand command, RespReply reply) {
    /** Argument {@code i} as a block id of the session's namespace. */
    BlockKey key(int i) {
        return session.scope().key(BlockId.of(command.argument(i)));
    }

    /** Whether argument {@code i} is this word, in any case. */
    boolean is(int i, String word) {
        return command.length(i) == word.length() && command.text(i).equalsIgnoreCase(word);
    }

    /** Argument {@code i} as a number of 0 or more; -1 where it is none. */
    long number(int i) {
        if (command.length(i) > 18) {
            return -1;
        }
        String text = command.text(i);
        boolean digits = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Long.parseLong(text) : -1;
    }
}
