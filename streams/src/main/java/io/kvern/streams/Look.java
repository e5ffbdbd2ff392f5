package io.kvern.streams;

import io.kvern.model.BlockKey;
import io.kvern.model.WriteMode;
import io.kvern.store.BlockInfo;
import io.kvern.store.BlockReader;
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
        if (before == Certainty.ELSEWHERE) {
            return null;
        }
        boolean current = before == Certainty.CURRENT;
        BlockInfo info = store.find(key);
        if (info != null) {
            return current || info.mode() == WriteMode.IF_ABSENT ? new Answer.Hit(info, current) : null;
        }
        // A partition detached since shows no blocks, and that is not nil.
        return current && certainty.apply(key) == Certainty.CURRENT ? new Answer.Nil() : null;
    }
}
