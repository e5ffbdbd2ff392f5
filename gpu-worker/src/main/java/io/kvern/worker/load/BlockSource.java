package io.kvern.worker.load;

import java.time.Duration;
import java.util.List;

/**
 * A lane that brings blocks of one namespace into the caller's memory. Safe in any thread.
 *
 * <p>Trouble of the network or of a server is never an exception: it is the status of the blocks that it struck.
 */
public interface BlockSource extends AutoCloseable {
    /**
     * Loads blocks, each into its own destination. Returns when every block has ended, at the deadline at the latest, give or
     * take what the system's scheduler adds. Once it has returned, nothing touches any destination any more.
     *
     * @param requests destinations must not overlap, and must be writable from any thread
     * @param deadline from now; zero or less makes every block {@link LoadStatus#LATE}
     * @throws io.kvern.model.InvalidInputException where a destination is read-only, bound to one thread, freed, or overlaps
     *     another; nothing was loaded
     * @throws IllegalStateException where the source is closed
     */
    LoadResult load(List<LoadRequest> requests, Duration deadline);

    /** Ends loads that run, as {@link LoadStatus#UNSURE}, closes the connections and waits for their threads. */
    @Override
    void close();
}
