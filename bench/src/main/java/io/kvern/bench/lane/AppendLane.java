package io.kvern.bench.lane;

import io.kvern.app.node.Directories;
import io.kvern.bench.BenchPlan;
import io.kvern.bench.report.LaneRow;
import io.kvern.bench.site.Metered;
import io.kvern.bench.site.OwnJvm;
import io.kvern.bench.site.SourceBytes;
import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.Namespace;
import io.kvern.store.BlockStore;
import io.kvern.store.BlockStores;
import io.kvern.store.PartitionHandle;
import io.kvern.store.PartitionRef;
import io.kvern.store.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;

/** Chunks into the store, as they come from Kafka, until they are durable; against the same writes to bare files. */
public final class AppendLane implements Lane {
    private static final Namespace NAMESPACE = Namespace.opaque("bench");
    private static final int SOURCES = 24;

    private final BenchPlan plan;
    private final Rounds rounds;
    private final Path dir;
    private final SourceBytes source;

    public AppendLane(BenchPlan plan, Rounds rounds, Path dir, SourceBytes source) {
        this.plan = plan;
        this.rounds = rounds;
        this.dir = dir;
        this.source = source;
    }

    @Override
    public LaneRow measure(int blockBytes) throws Exception {
        int blocks = (int) Math.max(1, plan.logBytes() / blockBytes);
        List<ChunkedBlock> sources = new ArrayList<>();
        for (int i = 0; i < Math.min(SOURCES, blocks); i++) {
            sources.add(ChunkedBlock.of(source.copy(i, blockBytes)));
        }
        return rounds.measure(
                "append",
                "Segment append",
                blockBytes,
                blocks,
                0.90,
                List.of(new Store(sources, blocks), new BareFiles(sources, blocks)));
    }

    private final class Store implements Contender {
        private final List<ChunkedBlock> sources;
        private final int blocks;

        Store(List<ChunkedBlock> sources, int blocks) {
            this.sources = sources;
            this.blocks = blocks;
        }

        @Override
        public String name() {
            return "kvern";
        }

        @Override
        public String what() {
            return "chunks from heap records into a new store, CRC of each checked, block indexed, then synced";
        }

        @Override
        public int copiesPerByte() {
            return 2; // heap to the channel's direct memory, direct memory to the page cache
        }

        @Override
        public List<Metered> processes() {
            return List.of(OwnJvm.METER);
        }

        @Override
        public Moved run(int round) throws IOException {
            Path directory = dir.resolve("append-" + round);
            StoreConfig config = StoreConfig.at(directory).withCapacity(4 * plan.logBytes());
            try (BlockStore store = BlockStores.open(config);
                    PartitionHandle partition = store.attach(new PartitionRef(new UUID(1, 1), 0, 1))) {
                long start = System.nanoTime();
                long offset = 0;
                for (int i = 0; i < blocks; i++) {
                    BlockKey key = NAMESPACE.key(BlockId.of("block-" + i));
                    offset = sources.get(i % sources.size()).apply(partition, key, i, offset);
                }
                store.sync(Duration.ofMinutes(2));
                return Moved.since(start, (long) blocks * sources.getFirst().length(), blocks);
            } finally {
                Directories.delete(directory);
            }
        }
    }

    private final class BareFiles implements Contender {
        private final List<ChunkedBlock> sources;
        private final int blocks;

        BareFiles(List<ChunkedBlock> sources, int blocks) {
            this.sources = sources;
            this.blocks = blocks;
        }

        @Override
        public String name() {
            return "limit";
        }

        @Override
        public String what() {
            return "the same heap chunks, CRC-32C of each, to files of 256 MiB by plain writes, each synced once";
        }

        @Override
        public int copiesPerByte() {
            return 2;
        }

        @Override
        public List<Metered> processes() {
            return List.of(OwnJvm.METER);
        }

        @Override
        public Moved run(int round) throws IOException {
            Path directory = Files.createDirectories(dir.resolve("bare-" + round));
            List<FileChannel> files = new ArrayList<>();
            try {
                long start = System.nanoTime();
                long left = 0;
                CRC32C crc = new CRC32C();
                for (int i = 0; i < blocks; i++) {
                    for (ChunkedBlock.Piece chunk :
                            sources.get(i % sources.size()).chunks()) {
                        ByteBuffer bytes = chunk.payload().duplicate();
                        if (left < bytes.remaining()) {
                            files.add(FileChannel.open(
                                    directory.resolve(files.size() + ".data"),
                                    StandardOpenOption.CREATE_NEW,
                                    StandardOpenOption.WRITE));
                            left = 256 << 20;
                        }
                        crc.reset();
                        crc.update(bytes.duplicate());
                        while (bytes.hasRemaining()) {
                            left -= files.getLast().write(bytes);
                        }
                    }
                }
                for (FileChannel file : files) {
                    file.force(false);
                }
                return Moved.since(start, (long) blocks * sources.getFirst().length(), blocks);
            } finally {
                for (FileChannel file : files) {
                    file.close();
                }
                Directories.delete(directory);
            }
        }
    }
}
