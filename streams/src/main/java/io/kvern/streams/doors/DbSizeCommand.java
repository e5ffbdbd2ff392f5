package io.kvern.streams.doors;

import io.kvern.streams.NodeView;

/** {@code DBSIZE}: blocks of the session's namespace on this node. */
final class DbSizeCommand implements Command {
    private final NodeView node;

    DbSizeCommand(NodeView node) {
        this.node = node;
    }

    @Override
    public void run(Call call) {
        call.reply()
                .integer(
                        node.store().usage(call.session().scope().fingerprint()).blocks());
    }
}
