package io.kvern.bench.replay;

import java.util.List;

/**
 * One request of a trace.
 *
 * @param timestampMillis when it came, counted from the trace's beginning
 * @param inputTokens length of the prompt
 * @param outputTokens length of the answer
 * @param hashIds one per block of {@value #TOKENS_PER_BLOCK} tokens, the last of which may be short; an equal id means an
 *     equal prompt up to the end of that block
 */
record TraceRequest(long timestampMillis, long inputTokens, long outputTokens, List<Long> hashIds) {
    /** Tokens of a block in traces of this format. */
    static final int TOKENS_PER_BLOCK = 512;

    TraceRequest {
        hashIds = List.copyOf(hashIds);
    }
}
