package io.kvern.worker.load;

import java.time.Duration;
import java.util.List;

/**
 * What became of a load.
 *
 * @param blocks one entry per request, in their order
 * @param prefix number of leading blocks that are {@link LoadStatus#LOADED}: what of a chain an engine may use
 * @param bytes sum of the lengths of all loaded blocks, those behind the prefix included
 * @param elapsed from call to return
 */
public record LoadResult(List<BlockLoad> blocks, int prefix, long bytes, Duration elapsed) {
    public LoadResult {
        blocks = List.copyOf(blocks);
    }

    /**
     * Sums up.
     *
     * @param blocks one entry per request, in their order
     */
    public static LoadResult of(List<BlockLoad> blocks, Duration elapsed) {
        int prefix = 0;
        while (prefix < blocks.size() && blocks.get(prefix).status() == LoadStatus.LOADED) {
            prefix++;
        }
        return new LoadResult(
                blocks, prefix, blocks.stream().mapToLong(BlockLoad::length).sum(), elapsed);
    }
}
