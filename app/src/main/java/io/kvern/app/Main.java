package io.kvern.app;

import io.kvern.app.cli.KvernCommand;

/** Entry point of the command {@code kvern}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(KvernCommand.commandLine().execute(args));
    }
}
