package io.kvern.bench.replay;

import io.kvern.app.cli.CommandExtension;

/** Brings {@code kvern replay}. */
public final class ReplayExtension implements CommandExtension {
    @Override
    public Object command() {
        return new ReplayCommand();
    }
}
