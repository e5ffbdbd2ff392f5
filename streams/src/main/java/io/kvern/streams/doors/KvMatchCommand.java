package io.kvern.streams.doors;

import io.kvern.streams.Answer;

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
        Deadline deadline = lookup.deadline();
        int ids = call.command().size() - 1;
        int length = 0;
        long bytes = 0;
        boolean whole = true;
        while (whole && length < ids) {
            switch (lookup.find(call.key(length + 1), deadline)) {
                case Answer.Hit hit -> {
                    length++;
                    bytes += hit.info().length();
                }
                case Answer.Nil() -> {
                    counters.misses.increment();
                    whole = false;
                }
                case Answer.Unsure _ -> {
                    counters.unsure.increment();
                    whole = false;
                }
            }
        }
        counters.hits.add(length);
        call.reply().array(2);
        call.reply().integer(length);
        call.reply().integer(bytes);
    }
}
