package io.kvern.streams.doors;

import io.kvern.resp.server.RespReply;

/** {@code HELLO [2 [AUTH name password] [SETNAME name]]}: who answers here. Only version 2 of the protocol is spoken. */
final class HelloCommand implements Command {
    private static final int PROTOCOL = 2;

    private final String version;

    HelloCommand(String version) {
        this.version = version;
    }

    @Override
    public void run(Call call) {
        RespReply reply = call.reply();
        int size = call.command().size();
        if (size > 1) {
            long protocol = call.number(1);
            if (protocol < 0) {
                reply.error("ERR Protocol version is not an integer or out of range");
                return;
            }
            if (protocol != PROTOCOL) {
                reply.error("NOPROTO unsupported protocol version");
                return;
            }
        }
        Scope scope = call.session().scope();
        for (int i = 2; i < size; ) {
            if (call.is(i, "AUTH") && i + 2 < size) {
                scope = Scope.of(call.command().text(i + 1));
                i += 3;
            } else if (call.is(i, "SETNAME") && i + 1 < size) {
                i += 2;
            } else {
                reply.error("ERR Syntax error in HELLO option '%s'"
                        .formatted(call.command().preview(i, 128)));
                return;
            }
        }
        call.session().enter(scope);
        reply.array(14);
        entry(reply, "server", "kvern");
        entry(reply, "version", version);
        reply.bulk("proto");
        reply.integer(PROTOCOL);
        reply.bulk("id");
        reply.integer(call.session().id());
        entry(reply, "mode", "standalone");
        entry(reply, "role", "master");
        reply.bulk("modules");
        reply.array(0);
    }

    private static void entry(RespReply reply, String name, String value) {
        reply.bulk(name);
        reply.bulk(value);
    }
}
