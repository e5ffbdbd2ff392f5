package io.kvern.streams.doors;

import io.kvern.streams.Answer;

/** {@code STRLEN id}: the block's length in bytes, 0 where it is certainly not stored. */
final class StrlenCommand implements Command {
    private final BlockLookup lookup;
    private final DoorCounters counters;

    StrlenCommand(BlockLookup lookup, DoorCounters counters) {
        this.lookup = lookup;
        this.counters = counters;
    }

    @Override
    public void run(Call call) throws InterruptedException {
        switch (lookup.find(call.key(1), lookup.deadline())) {
            case Answer.Hit hit -> {
                counters.hits.increment();
                call.reply().integer(hit.info().length());
            }
            case Answer.Nil() -> {
                counters.misses.increment();
                call.reply().integer(0);
            }
            case Answer.Unsure(String why) -> {
                counters.unsure.increment();
                call.reply().error("TRYAGAIN " + why);
            }
        }
    }
}
