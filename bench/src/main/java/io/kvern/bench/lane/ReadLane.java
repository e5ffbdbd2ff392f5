package io.kvern.bench.lane;

import io.kvern.app.node.Directories;
import io.kvern.bench.BenchPlan;
import io.kvern.bench.peer.FileServer;
import io.kvern.bench.report.LaneRow;
import io.kvern.bench.site.Metered;
import io.kvern.bench.site.OwnJvm;
import io.kvern.bench.site.SourceBytes;
import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.KvernException;
import io.kvern.model.Namespace;
import io.kvern.store.BlockStore;
import io.kvern.store.BlockStores;
import io.kvern.store.PartitionHandle;
import io.kvern.store.PartitionRef;
import io.kvern.store.ReadResult;
import io.kvern.store.StoreConfig;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Verified reads of a store in this process into direct memory, what every lane on the node's side begins with; against bare
 * reads of the same files. The pages are in the page cache on both sides.
 */
public final class ReadLane implements Lane {
    private static final Namespace NAMESPACE = Namespace.opaque("bench");
    private static final long SET_BYTES = 512 << 20;

    private final BenchPlan plan;
    private final Rounds rounds;
    private final Path dir;
    private final SourceBytes source;

    public ReadLane(BenchPlan plan, Rounds rounds, Path dir, SourceBytes source) {
        this.plan = plan;
        this.rounds = rounds;
        this.dir = dir;
        this.source = source;
    }

    @Override
    public LaneRow measure(int blockBytes) throws Exception {
        int set = (int) Math.max(1, Math.min(SET_BYTES, plan.readBytes()) / blockBytes);
        int reads = (int) Math.max(1, plan.readBytes() / blockBytes);
        int[] order = new Random(3).ints(reads, 0, set).toArray();
        Path directory = dir.resolve("read");
        StoreConfig config = StoreConfig.at(directory).withCapacity(8 * SET_BYTES);
        try (BlockStore store = BlockStores.open(config);
                PartitionHandle partition = store.attach(new PartitionRef(new UUID(1, 1), 0, 1))) {
            long offset = 0;
            for (int i = 0; i < set; i++) {
                ChunkedBlock block = ChunkedBlock.of(source.copy(i, blockBytes));
                offset = block.apply(partition, key(i), i, offset);
            }
            store.sync(Duration.ofMinutes(2));
            try (Bare bare = new Bare(directory.resolve("segments"), order, set, blockBytes)) {
                return rounds.measure(
                        "read",
                        "Store read",
                        blockBytes,
                        reads,
                        0.90,
                        List.of(new Kvern(store, order, blockBytes), bare));
            }
        } finally {
            Directories.delete(directory);
        }
    }

    private static BlockKey key(int number) {
        return NAMESPACE.key(BlockId.of("block-" + number));
    }

    private static final class Kvern implements Contender {
        private final BlockStore store;
        private final int[] order;
        private final int blockBytes;
        private final ByteBuffer slot;

        Kvern(BlockStore store, int[] order, int blockBytes) {
            this.store = store;
            this.order = order;
            this.blockBytes = blockBytes;
            this.slot = ByteBuffer.allocateDirect(blockBytes);
        }

        @Override
        public String name() {
            return "kvern";
        }

        @Override
        public String what() {
            return "readInto: index lookup, read of the segment, CRC-32C checked; one thread, random order";
        }

        @Override
        public int copiesPerByte() {
            return 1;
        }

        @Override
        public List<Metered> processes() {
            return List.of(OwnJvm.METER);
        }

        @Override
        public Moved run(int round) {
            long start = System.nanoTime();
            for (int number : order) {
                if (!(store.readInto(key(number), slot.clear()) instanceof ReadResult.Loaded)) {
                    throw new KvernException("block %d of the measurement is not there".formatted(number));
                }
            }
            return Moved.since(start, (long) order.length * blockBytes, order.length);
        }
    }

    private static final class Bare implements Contender {
        private final List<FileChannel> files = new ArrayList<>();
        private final List<Long> places = new ArrayList<>();
        private final List<FileChannel> fileOf = new ArrayList<>();
        private final int[] order;
        private final int set;
        private final int blockBytes;
        private final ByteBuffer slot;

        Bare(Path segments, int[] order, int set, int blockBytes) throws IOException {
            this.order = order;
            this.set = set;
            this.blockBytes = blockBytes;
            this.slot = ByteBuffer.allocateDirect(blockBytes);
            for (Path file : FileServer.filesOf(segments)) {
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                files.add(channel);
                for (long at = 0; at + blockBytes <= Files.size(file); at += blockBytes) {
                    places.add(at);
                    fileOf.add(channel);
                }
            }
        }

        @Override
        public String name() {
            return "limit";
        }

        @Override
        public String what() {
            return "pread of as many bytes at random places of the same files, CRC-32C of them; one thread";
        }

        @Override
        public int copiesPerByte() {
            return 1;
        }

        @Override
        public List<Metered> processes() {
            return List.of(OwnJvm.METER);
        }

        @Override
        public Moved run(int round) throws IOException {
            CRC32C crc = new CRC32C();
            long start = System.nanoTime();
            for (int number : order) {
                int place = number % Math.min(set, places.size());
                slot.clear();
                while (slot.hasRemaining()) {
                    if (fileOf.get(place).read(slot, places.get(place) + slot.position()) < 0) {
                        throw new EOFException("a data file ended early");
                    }
                }
                crc.reset();
                crc.update(slot.flip());
            }
            return Moved.since(start, (long) order.length * blockBytes, order.length);
        }

        @Override
        public void close() {
            for (FileChannel file : files) {
                try {
                    file.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
