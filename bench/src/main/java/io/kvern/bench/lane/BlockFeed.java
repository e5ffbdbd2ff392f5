package io.kvern.bench.lane;

import io.kvern.bench.site.Site;
import io.kvern.bench.site.SourceBytes;
import io.kvern.ingest.BlockPublisher;
import io.kvern.ingest.BlockPut;
import io.kvern.ingest.Publication;
import io.kvern.ingest.PublishOutcome;
import io.kvern.model.BlockId;
import io.kvern.model.KvernException;
import io.kvern.worker.load.BlockLoader;
import io.kvern.worker.load.LoaderConfig;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Publishes blocks from direct memory, as a worker evicts them, and waits until the node serves the last of them. */
public final class BlockFeed implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final long LOOK_NANOS = 1_000_000;

    private final Site site;
    private final SourceBytes source;
    private final BlockPublisher publisher;
    private final Map<Integer, List<BlockId>> stored = new HashMap<>();
    private long feeds;

    public BlockFeed(Site site, SourceBytes source) {
        this.site = site;
        this.source = source;
        this.publisher = site.publisher();
    }

    /** Ids that were never used before. */
    List<BlockId> newIds(int count) {
        long feed = feeds++;
        List<BlockId> ids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] hash = ByteBuffer.allocate(16).putLong(feed).putLong(i).array();
            ids.add(BlockId.of(hash, 0, 1, 0));
        }
        return ids;
    }

    /** Publishes one block per id; returns when the node serves all of them. */
    void publish(List<BlockId> ids, int blockBytes) throws InterruptedException {
        awaitIndexed(send(ids, blockBytes));
    }

    /** Publishes one block per id. */
    List<Publication> send(List<BlockId> ids, int blockBytes) {
        List<Publication> publications = new ArrayList<>(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            publications.add(publisher.publish(BlockPut.of(Site.NAMESPACE, ids.get(i)), source.slice(i, blockBytes)));
        }
        return publications;
    }

    /** Within a partition blocks are applied in order: when the last one of each is there, all are. */
    void awaitIndexed(List<Publication> publications) throws InterruptedException {
        Map<Integer, BlockId> last = new HashMap<>();
        for (Publication publication : publications) {
            PublishOutcome outcome = publication.outcome().join();
            if (!(outcome instanceof PublishOutcome.Published published)) {
                throw new KvernException("a block of the measurement was not published: " + outcome);
            }
            last.put(published.partition(), publication.key().id());
        }
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try (BlockLoader loader = loader(1)) {
            for (BlockId id : last.values()) {
                while (loader.match(List.of(id), Duration.ofSeconds(10)).length() < 1) {
                    if (deadline - System.nanoTime() < 0) {
                        throw new KvernException("the node did not index what was published within " + PATIENCE);
                    }
                    LockSupport.parkNanos(LOOK_NANOS);
                }
            }
        }
    }

    /** Ids of at least {@code bytes} bytes of stored blocks of this size; published at the first call for a size. */
    List<BlockId> stored(int blockBytes, long bytes) throws InterruptedException {
        List<BlockId> known = stored.get(blockBytes);
        if (known == null) {
            known = newIds((int) Math.max(1, bytes / blockBytes));
            publish(known, blockBytes);
            stored.put(blockBytes, known);
        }
        return known;
    }

    /** Forgets what is stored: the node has lost it, or evicts it while others are published. */
    void forgetStored() {
        stored.clear();
    }

    /** A loader of the node's blocks. */
    BlockLoader loader(int sockets) {
        return new BlockLoader(
                LoaderConfig.of(Site.NAMESPACE, List.of(site.door())).withSockets(sockets, 16));
    }

    BlockPublisher publisher() {
        return publisher;
    }

    @Override
    public void close() {
        publisher.close();
    }
}
