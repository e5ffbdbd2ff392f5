package io.kvern.streams.doors;

import io.kvern.resp.server.RespCommand;
import java.util.Locale;

/** The commands that are about the connection, and a line each. */
final class ConnectionCommands {
    private ConnectionCommands() {}

    /** {@code PING [text]}. */
    static void ping(Call call) {
        switch (call.command().size()) {
            case 1 -> call.reply().simple("PONG");
            case 2 -> call.reply().bulk(call.command().argument(1));
            default -> call.reply().error("ERR wrong number of arguments for 'ping' command");
        }
    }

    /** {@code SELECT 0}: there is one database; namespaces are chosen by {@code AUTH}. */
    static void select(Call call) {
        long index = call.number(1);
        if (index == 0) {
            call.reply().simple("OK");
        } else if (index > 0) {
            call.reply().error("ERR DB index is out of range");
        } else {
            call.reply().error("ERR value is not an integer or out of range");
        }
    }

    /** {@code CLIENT SETINFO attribute value} and {@code CLIENT SETNAME name}, which clients send unasked: accepted, not kept. */
    static void client(Call call) {
        RespCommand command = call.command();
        boolean setInfo = call.is(1, "SETINFO");
        if (setInfo || call.is(1, "SETNAME")) {
            if (command.size() == (setInfo ? 4 : 3)) {
                call.reply().simple("OK");
            } else {
                call.reply()
                        .error("ERR wrong number of arguments for 'client|%s' command"
                                .formatted(command.text(1).toLowerCase(Locale.ROOT)));
            }
        } else {
            call.reply().error("ERR unknown subcommand '%s'. Try CLIENT HELP.".formatted(command.preview(1, 128)));
        }
    }

    /** {@code COMMAND [COUNT | DOCS …]}: how many there are, or a table that is empty, which clients take for no hints. */
    static void command(Call call, int count) {
        if (call.command().size() == 2 && call.is(1, "COUNT")) {
            call.reply().integer(count);
        } else {
            call.reply().array(0);
        }
    }

    /** {@code QUIT}. */
    static void quit(Call call) {
        call.reply().simple("OK");
        call.reply().thenClose();
    }
}
