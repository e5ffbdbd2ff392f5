package io.kvern.app.node;

import io.kvern.streams.RestoreProgress;
import io.kvern.streams.StoreNode;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for a node, and says each second in the log what is still to come. */
final class ReadyWait {
    private static final Logger LOG = LoggerFactory.getLogger(ReadyWait.class);
    private static final Duration TURN = Duration.ofSeconds(1);

    private final StoreNode node;
    private final int partitions;
    private final long startNanos = System.nanoTime();
    private final RestoreProgress.Snapshot start;

    /**
     * @param partitions that the node must own at least
     */
    ReadyWait(StoreNode node, int partitions) {
        this.node = node;
        this.partitions = partitions;
        this.start = node.restoring();
    }

    boolean await(Duration patience) throws InterruptedException {
        long deadline = startNanos + patience.toNanos();
        while (true) {
            long left = deadline - System.nanoTime();
            if (node.awaitReady(
                    partitions, TURN.compareTo(Duration.ofNanos(left)) < 0 ? TURN : Duration.ofNanos(left))) {
                return true;
            }
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            LOG.info("Waiting for the node: {}", progress());
        }
    }

    private String progress() {
        RestoreProgress.Snapshot now = node.restoring();
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        long done = now.records() - start.records();
        if (now.remaining() == 0) {
            return "it owns %d partitions, %s; %d records restored so far, %d blocks stored"
                    .formatted(
                            node.owned(),
                            node.state(),
                            now.records(),
                            node.store().stats().blocks());
        }
        double rate = done / seconds;
        return "restoring %d partitions, %d records left, %d done (%.0f MB), %.0f records/s, %.0f MB/s, %s left, %d blocks stored"
                .formatted(
                        now.partitions(),
                        now.remaining(),
                        done,
                        (now.bytes() - start.bytes()) / 1e6,
                        rate,
                        (now.bytes() - start.bytes()) / 1e6 / seconds,
                        rate < 1 ? "unknown time" : "about %.0f s".formatted(now.remaining() / rate),
                        node.store().stats().blocks());
    }
}
