package io.kvern.streams.doors;

import io.kvern.ingest.BlockPut;
import io.kvern.ingest.Publication;
import io.kvern.model.BlockKey;
import io.kvern.model.InvalidInputException;
import io.kvern.streams.Answer;
import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * {@code SET id value}: publishes the block, and answers OK when the log has it, this node has applied it and keeps it. In an
 * immutable namespace a block that stands already stays, and the answer is OK too.
 */
final class SetCommand implements Command {
    private final BlockLookup lookup;
    private final LogWriter log;
    private final LogWait wait;
    private final int maxBlockBytes;

    SetCommand(BlockLookup lookup, LogWriter log, LogWait wait, int maxBlockBytes) {
        this.lookup = lookup;
        this.log = log;
        this.wait = wait;
        this.maxBlockBytes = maxBlockBytes;
    }

    @Override
    public void run(Call call) throws InterruptedException {
        if (call.command().size() > 3) {
            call.reply().error("ERR syntax error");
            return;
        }
        BlockKey key = call.key(1);
        int length = call.command().length(2);
        if (length == 0) {
            throw new InvalidInputException("value has 0 bytes; a block has at least 1");
        }
        if (length > maxBlockBytes) {
            throw InvalidInputException.overLimit("length of the value", length, maxBlockBytes, "block.max.bytes");
        }
        Answer.Unsure elsewhere = lookup.ifElsewhere(key);
        if (elsewhere != null) {
            call.reply().error("TRYAGAIN " + elsewhere.why());
            return;
        }
        Deadline deadline = wait.deadline();
        Publication publication = publish(call, key);
        String error = wait.settle(publication.outcome(), deadline);
        if (error != null) {
            call.reply().error(error);
        } else if (lookup.holds(key)) {
            call.reply().simple("OK");
        } else {
            call.reply()
                    .error("ERR written to the log, but not kept by this node: it had no room for the block (setting"
                            + " store.capacity.bytes), or the block was removed since");
        }
    }

    /** The value's memory is kept until the publisher lets go of it, which may be after the reply. */
    private Publication publish(Call call, BlockKey key) {
        BlockPut put = new BlockPut(key, call.session().scope().mode(), 0, List.of(), null, 0);
        ByteBuf value = call.command().retain(2);
        try {
            Publication publication = log.publish(put, value.nioBuffer());
            var _ = publication.released().whenComplete((_, _) -> value.release());
            return publication;
        } catch (RuntimeException e) {
            value.release();
            throw e;
        }
    }
}
