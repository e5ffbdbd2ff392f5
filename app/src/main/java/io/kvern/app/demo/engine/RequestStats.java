package io.kvern.app.demo.engine;

/**
 * What one request cost. {@code cachedTokens + loadedTokens + prefilledTokens = promptTokens}.
 *
 * @param promptTokens tokens of the prompt
 * @param cachedTokens of them, how many were in the engine's own pool
 * @param loadedTokens of them, how many came from the tier
 * @param answerTokens tokens generated
 * @param loadedBytes bytes of the blocks that came from the tier
 * @param firstTokenNanos from the request to its first token, waiting for slots and loading included
 * @param loadNanos thereof spent asking the tier, 0 where it was not asked
 * @param totalNanos from the request to its last token
 */
public record RequestStats(
        int promptTokens,
        int cachedTokens,
        int loadedTokens,
        int answerTokens,
        long loadedBytes,
        long firstTokenNanos,
        long loadNanos,
        long totalNanos) {
    /** Tokens of the prompt that had to be computed: at least one. */
    public int prefilledTokens() {
        return promptTokens - cachedTokens - loadedTokens;
    }
}
