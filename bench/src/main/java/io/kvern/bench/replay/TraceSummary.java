package io.kvern.bench.replay;

import java.util.HashSet;
import java.util.Set;

/**
 * What a trace asks for, and the most that any cache could save of it.
 *
 * @param requests their number
 * @param blocks of all prompts together
 * @param uniqueBlocks different ones among them
 * @param tokens of all prompts together
 * @param idealHits leading blocks of prompts that came before: the hits of an endless cache
 */
record TraceSummary(long requests, long blocks, long uniqueBlocks, long tokens, long idealHits) {
    /** Goes through the whole trace; remembers every id. */
    static TraceSummary of(Trace trace) {
        Set<Long> seen = new HashSet<>();
        long requests = 0;
        long blocks = 0;
        long tokens = 0;
        long hits = 0;
        try (Trace.Cursor cursor = trace.open()) {
            for (TraceRequest next = cursor.next(); next != null; next = cursor.next()) {
                requests++;
                blocks += next.hashIds().size();
                tokens += next.inputTokens();
                for (long id : next.hashIds()) {
                    if (!seen.contains(id)) {
                        break;
                    }
                    hits++;
                }
                seen.addAll(next.hashIds());
            }
        }
        return new TraceSummary(requests, blocks, seen.size(), tokens, hits);
    }

    /** Share of blocks, 0 to 1. */
    double idealHitRate() {
        return blocks == 0 ? 0 : (double) idealHits / blocks;
    }
}
