package io.kvern.streams.doors;

import io.kvern.model.BlockKey;
import io.kvern.streams.Answer;
import java.util.ArrayList;
import java.util.List;

/** Looks at all ids of a command before it answers, for commands whose reply is all or nothing. */
final class KeySurvey {
    private final BlockLookup lookup;
    private final DoorCounters counters;

    KeySurvey(BlockLookup lookup, DoorCounters counters) {
        this.lookup = lookup;
        this.counters = counters;
    }

    /** @param stored whether each of {@code keys} is stored, in order; empty where {@code why} says who is unsure */
    record Result(List<BlockKey> keys, List<Boolean> stored, String why) {
        boolean unsure() {
            return stored.size() < keys.size();
        }

        long count() {
            return stored.stream().filter(found -> found).count();
        }
    }

    /** The keys of all arguments behind the name, each as certain as it becomes within one common patience. */
    Result of(Call call) throws InterruptedException {
        int count = call.command().size() - 1;
        List<BlockKey> keys = new ArrayList<>(count);
        for (int i = 1; i <= count; i++) {
            keys.add(call.key(i));
        }
        List<Boolean> stored = new ArrayList<>(count);
        for (Answer answer : lookup.findAll(keys, false, lookup.deadline())) {
            switch (answer) {
                case Answer.Hit _ -> stored.add(true);
                case Answer.Nil() -> stored.add(false);
                case Answer.Unsure(String why) -> {
                    counters.unsure.increment();
                    return new Result(keys, List.of(), why);
                }
            }
        }
        return new Result(keys, stored, "");
    }
}
