package io.kvern.streams.doors;

import io.kvern.model.InvalidInputException;
import io.kvern.resp.server.BudgetSpentException;
import io.kvern.resp.server.RespCommand;
import io.kvern.resp.server.RespReply;
import io.kvern.resp.server.RespSession;

/** One connection's state: its number and its namespace. */
final class DoorSession implements RespSession {
    private final CommandTable table;
    private final long id;
    private Scope scope = Scope.DEFAULT;

    DoorSession(CommandTable table, long id) {
        this.table = table;
        this.id = id;
    }

    long id() {
        return id;
    }

    Scope scope() {
        return scope;
    }

    /** Later commands speak in this namespace. */
    void enter(Scope next) {
        scope = next;
    }

    @Override
    public void handle(RespCommand command, RespReply reply) throws Exception {
        try {
            table.run(new Call(this, command, reply));
        } catch (InvalidInputException e) {
            answer(reply, "ERR " + e.getMessage(), e);
        } catch (BudgetSpentException e) {
            answer(reply, "TRYAGAIN " + e.getMessage(), e);
        }
    }

    private static void answer(RespReply reply, String error, RuntimeException cause) {
        if (reply.begun()) {
            throw cause;
        }
        reply.error(error);
    }
}
