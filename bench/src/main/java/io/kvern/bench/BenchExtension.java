package io.kvern.bench;

import io.kvern.app.cli.CommandExtension;

/** Brings {@code kvern bench} to the command line. */
public final class BenchExtension implements CommandExtension {
    @Override
    public Object command() {
        return new BenchCommand();
    }
}
