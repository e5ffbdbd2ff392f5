package io.kvern.streams.doors;

import io.kvern.model.BlockKey;
import io.kvern.streams.Answer;
import io.kvern.streams.NodeView;

/** {@code KV.VERIFY id}: reads the block again and drops it if it is damaged; 1 where an intact block stands, else 0. */
final class KvVerifyCommand implements Command {
    private final NodeView node;
    private final BlockLookup lookup;

    KvVerifyCommand(NodeView node, BlockLookup lookup) {
        this.node = node;
        this.lookup = lookup;
    }

    @Override
    public void run(Call call) {
        BlockKey key = call.key(1);
        Answer.Unsure elsewhere = lookup.ifElsewhere(key);
        if (elsewhere != null) {
            call.reply().error("TRYAGAIN " + elsewhere.why());
            return;
        }
        call.reply().integer(node.store().verify(key) ? 1 : 0);
    }
}
