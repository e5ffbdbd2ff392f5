package io.kvern.streams.doors;

/**
 * {@code AUTH name password} chooses the session's namespace, {@code AUTH password} leaves it. No passwords are configured:
 * any is accepted.
 */
final class AuthCommand implements Command {
    @Override
    public void run(Call call) {
        switch (call.command().size()) {
            case 2 -> call.reply().simple("OK");
            case 3 -> {
                call.session().enter(Scope.of(call.command().text(1)));
                call.reply().simple("OK");
            }
            default -> call.reply().error("ERR syntax error");
        }
    }
}
