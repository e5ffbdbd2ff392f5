package io.kvern.streams.doors;

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
        while (length < ids && lookup.find(call.key(length + 1), deadline) instanceof Answer.Hit hit) {
            length++;
            bytes += hit.info().length();
        }
        counters.hits.add(length);
        if (length < ids) {
            counters.misses.increment();
        }
        call.reply().array(2);
        call.reply().integer(length);
        call.reply().integer(bytes);
    }
}
