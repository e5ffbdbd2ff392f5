package io.kvern.streams.doors;

import io.kvern.model.BlockKey;
import io.kvern.streams.Answer;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code KV.MATCH id [id …]}: how many of the leading ids are stored without a gap, and their bytes. The first id that is
 * absent, or of which the node does not become sure in time, ends the run: too short a match costs a prefill, too long a one
 * an answer.
 */
final class KvMatchCommand implements Command {
    private final BlockLookup lookup;
    private final DoorCounters counters;

    KvMatchCommand(BlockLookup lookup, DoorCounters counters) {
        this.lookup = lookup;
        this.counters = counters;
    }

    @Override
    public void run(Call call) throws InterruptedException {
        int ids = call.command().size() - 1;
        List<BlockKey> keys = new ArrayList<>(ids);
        for (int i = 1; i <= ids; i++) {
            keys.add(call.key(i));
        }
        int length = 0;
        long bytes = 0;
        for (Answer answer : lookup.findAll(keys, true, lookup.deadline())) {
            switch (answer) {
                case Answer.Hit hit -> {
                    length++;
                    bytes += hit.info().length();
                }
                case Answer.Nil() -> counters.misses.increment();
                case Answer.Unsure _ -> counters.unsure.increment();
            }
        }
        counters.hits.add(length);
        call.reply().array(2);
        call.reply().integer(length);
        call.reply().integer(bytes);
    }
}
