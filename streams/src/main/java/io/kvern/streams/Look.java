package io.kvern.streams;

import io.kvern.model.BlockKey;
import io.kvern.model.WriteMode;
import io.kvern.store.BlockInfo;
import io.kvern.store.BlockReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One look for a block, by the rule of every door and lane. Nil means nil: a block counts as absent only where the node is
 * current with its partition, before and after it looked. An {@code IF_ABSENT} block that is found can never be stale and
 * always counts.
 */
public final class Look {
    private Look() {}

    /**
     * Waits for nothing.
     *
     * @param certainty what the node's answers are worth now
     * @return a hit or nil; null where neither is certain
     */
    public static @Nullable Answer at(BlockKey key, BlockReader store, Function<BlockKey, Certainty> certainty) {
        Certainty before = certainty.apply(key);
        return before == Certainty.ELSEWHERE ? null : answer(key, before, store.find(key), certainty);
    }

    /**
     * The same for many keys at once.
     *
     * @return as many answers in the same order
     */
    public static List<@Nullable Answer> atAll(
            List<BlockKey> keys, BlockReader store, Function<BlockKey, Certainty> certainty) {
        List<Certainty> before = new ArrayList<>(keys.size());
        for (BlockKey key : keys) {
            before.add(certainty.apply(key));
        }
        List<@Nullable BlockInfo> found = store.findAll(keys);
        List<@Nullable Answer> answers = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            answers.add(answer(keys.get(i), before.get(i), found.get(i), certainty));
        }
        return answers;
    }

    private static @Nullable Answer answer(
            BlockKey key, Certainty before, @Nullable BlockInfo info, Function<BlockKey, Certainty> certainty) {
        boolean current = before == Certainty.CURRENT;
        if (info != null && before != Certainty.ELSEWHERE) {
            return current || info.mode() == WriteMode.IF_ABSENT ? new Answer.Hit(info, current) : null;
        }
        // A partition detached since shows no blocks, and that is not nil.
        return current && certainty.apply(key) == Certainty.CURRENT ? new Answer.Nil() : null;
    }
}
