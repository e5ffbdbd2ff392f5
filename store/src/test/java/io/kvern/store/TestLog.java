package io.kvern.store;

import io.kvern.model.BlockKey;
import io.kvern.model.InvalidInputException;
import io.kvern.model.WriteMode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * A log of random records over several partitions, and what must stand after all of it, by a model that knows nothing of
 * files: whole, chunked, shuffled, interleaved, repeated, lost, wrong and contradicting chunks of blocks that are written once,
 * set, or both, and removals.
 */
final class TestLog {
    static final UUID TOPIC = new UUID(17, 4);

    enum Kind {
        GOOD,
        /** A bit of the payload flipped. */
        WRONG_PAYLOAD,
        /** All chunks announce a CRC that the block does not have. */
        WRONG_BLOCK
    }

    sealed interface Entry {
        record Chunk(TestBlock block, int offset, int length, Kind kind) implements Entry {}

        record Remove(String name) implements Entry {}

        record Nothing() implements Entry {}
    }

    /** The log's clock moves so far with each record: a partial that gets no more chunks expires after thirty. */
    private static final long MILLIS_EACH = 2000;

    final int partitions;
    final List<List<Entry>> entries = new ArrayList<>();
    final Map<String, Set<TestBlock>> everPublished = new HashMap<>();
    private long publications;

    TestLog(int partitions, int names, int publicationsEach, int longest, Random random) {
        this.partitions = partitions;
        List<List<String>> owned = new ArrayList<>();
        for (int p = 0; p < partitions; p++) {
            owned.add(new ArrayList<>());
            entries.add(new ArrayList<>());
        }
        for (int i = 0; i < names; i++) {
            String name = "n" + i;
            owned.get(TestBlock.key(name).slot() * partitions / 16384).add(name);
        }
        for (int p = 0; p < partitions; p++) {
            if (!owned.get(p).isEmpty()) {
                fill(entries.get(p), owned.get(p), publicationsEach, longest, random);
            }
        }
    }

    PartitionRef ref(int partition) {
        return new PartitionRef(TOPIC, partition, partitions);
    }

    private void fill(List<Entry> log, List<String> names, int count, int longest, Random random) {
        List<List<Entry>> open = new ArrayList<>();
        int begun = 0;
        while (begun < count || !open.isEmpty()) {
            if (begun < count && (open.isEmpty() || (open.size() < 5 && random.nextInt(3) == 0))) {
                String name = names.get(random.nextInt(names.size()));
                switch (random.nextInt(12)) {
                    case 0, 1 -> log.add(new Entry.Remove(name));
                    case 2 -> log.add(new Entry.Nothing());
                    default -> open.add(publication(name, longest, random));
                }
                begun++;
            } else {
                List<Entry> some = open.get(random.nextInt(open.size()));
                log.add(some.removeFirst());
                open.removeIf(List::isEmpty);
            }
        }
    }

    private List<Entry> publication(String name, int longest, Random random) {
        boolean mixed = name.hashCode() % 2 == 0;
        int version = random.nextInt(3);
        WriteMode mode = mixed && random.nextBoolean() ? WriteMode.SET : WriteMode.IF_ABSENT;
        int length = 1 + (random.nextInt(4) == 0 ? random.nextInt(200) : random.nextInt(longest));
        TestBlock block = new TestBlock(name, length, version, mode, ++publications);
        everPublished.computeIfAbsent(name, first -> new HashSet<>()).add(block);
        Kind kind = random.nextInt(20) == 0 ? Kind.WRONG_BLOCK : Kind.GOOD;
        List<Entry> chunks = new ArrayList<>();
        int pieces = random.nextInt(3) == 0 ? 1 : Math.min(length, 1 + random.nextInt(5));
        int at = 0;
        for (int i = 0; i < pieces; i++) {
            int end = i == pieces - 1 ? length : (int) ((long) length * (i + 1) / pieces);
            chunks.add(new Entry.Chunk(block, at, end - at, kind));
            at = end;
        }
        if (random.nextBoolean()) {
            Collections.shuffle(chunks, random);
        }
        // Never what comes first: a process that begins behind it would meet a publication that is whole without it.
        int second = Math.min(1, chunks.size() - 1);
        Entry.Chunk some = (Entry.Chunk) chunks.get(second + random.nextInt(chunks.size() - second));
        switch (random.nextInt(14)) {
            case 0 -> {
                if (pieces > 1) {
                    chunks.remove(some);
                }
            }
            case 1 -> chunks.add(1 + random.nextInt(chunks.size()), some);
            case 2 ->
                chunks.add(
                        random.nextInt(chunks.size() + 1),
                        new Entry.Chunk(block, some.offset, some.length, Kind.WRONG_PAYLOAD));
            case 3 -> {
                if (pieces > 1 && length > 4) {
                    Entry.Chunk over = new Entry.Chunk(block, length / 3, length / 2, kind);
                    chunks.add(1 + random.nextInt(chunks.size()), over);
                }
            }
            default -> {
                // As it should be.
            }
        }
        return chunks;
    }

    /** Applies one record to a store, as whoever feeds it would. */
    static void apply(PartitionHandle to, Entry entry, long offset) {
        switch (entry) {
            case Entry.Nothing _ -> to.skip(offset);
            case Entry.Remove remove -> to.remove(TestBlock.key(remove.name), offset);
            case Entry.Chunk chunk -> {
                var header = chunk.block.header(chunk.offset, chunk.length);
                ByteBuffer payload = chunk.block.chunk(chunk.offset, chunk.length);
                if (chunk.kind == Kind.WRONG_PAYLOAD) {
                    byte[] wrong = new byte[payload.remaining()];
                    payload.get(wrong);
                    wrong[0] ^= 4;
                    payload = ByteBuffer.wrap(wrong);
                } else if (chunk.kind == Kind.WRONG_BLOCK) {
                    header = TestBlock.withBlockCrc(header, header.blockCrc() ^ 1);
                }
                try {
                    to.apply(chunk.block.key(), header, payload, offset, offset * MILLIS_EACH);
                } catch (InvalidInputException e) {
                    if (chunk.kind == Kind.GOOD && chunk.length == chunk.block.length()) {
                        throw e;
                    }
                }
            }
        }
    }

    /** What stands after all records of one partition: name to block. */
    Map<String, TestBlock> standing(int partition) {
        return new Model().run(entries.get(partition));
    }

    private static final class Model {
        private record Id(BlockKey key, long publication) {}

        private record Standing(TestBlock block, long at) {}

        private static final class Open {
            final long first;
            final Map<Integer, Integer> pieces = new HashMap<>();

            Open(long first) {
                this.first = first;
            }
        }

        private final Map<String, Standing> standing = new HashMap<>();
        private final Map<Id, Open> open = new HashMap<>();
        private final Set<Id> decided = new HashSet<>();

        Map<String, TestBlock> run(List<Entry> log) {
            for (int at = 0; at < log.size(); at++) {
                switch (log.get(at)) {
                    case Entry.Nothing _ -> {
                        // Only an offset.
                    }
                    case Entry.Remove remove -> remove(remove.name, at);
                    case Entry.Chunk chunk -> chunk(chunk, at);
                }
            }
            Map<String, TestBlock> blocks = new HashMap<>();
            standing.forEach((name, stands) -> blocks.put(name, stands.block));
            return blocks;
        }

        private void remove(String name, long at) {
            BlockKey key = TestBlock.key(name);
            open.entrySet().removeIf(entry -> {
                boolean cancelled = entry.getKey().key.equals(key) && entry.getValue().first < at;
                if (cancelled) {
                    decided.add(entry.getKey());
                }
                return cancelled;
            });
            standing.remove(name);
        }

        private void chunk(Entry.Chunk chunk, long at) {
            TestBlock block = chunk.block;
            Id id = new Id(block.key(), block.publication());
            boolean whole = chunk.length == block.length();
            if (chunk.kind == Kind.WRONG_PAYLOAD || (chunk.kind == Kind.WRONG_BLOCK && whole)) {
                abandon(id);
                return;
            }
            open.entrySet().removeIf(entry -> {
                boolean expired = (at - entry.getValue().first) * MILLIS_EACH > Partials.EXPIRY_MILLIS;
                if (expired) {
                    decided.add(entry.getKey());
                }
                return expired;
            });
            Open partial = open.get(id);
            if (partial == null) {
                if (decided.contains(id)) {
                    return;
                }
                if (block.mode() == WriteMode.IF_ABSENT && standing.containsKey(block.name())) {
                    if (!whole) {
                        decided.add(id);
                    }
                    return;
                }
                partial = new Open(at);
                open.put(id, partial);
            }
            Integer same = partial.pieces.get(chunk.offset);
            if (same != null && same == chunk.length) {
                return;
            }
            for (Map.Entry<Integer, Integer> piece : partial.pieces.entrySet()) {
                if (piece.getKey() < chunk.offset + chunk.length && chunk.offset < piece.getKey() + piece.getValue()) {
                    abandon(id);
                    return;
                }
            }
            partial.pieces.put(chunk.offset, chunk.length);
            if (partial.pieces.values().stream().mapToInt(Integer::intValue).sum() == block.length()) {
                complete(id, partial, chunk, whole);
            }
        }

        private void complete(Id id, Open partial, Entry.Chunk chunk, boolean whole) {
            open.remove(id);
            if (!whole) {
                decided.add(id);
            }
            TestBlock block = chunk.block;
            if (chunk.kind == Kind.WRONG_BLOCK) {
                return;
            }
            Standing stands = standing.get(block.name());
            boolean loses = stands != null && (block.mode() == WriteMode.IF_ABSENT || stands.at > partial.first);
            if (!loses) {
                standing.put(block.name(), new Standing(block, partial.first));
            }
        }

        private void abandon(Id id) {
            if (open.remove(id) != null) {
                decided.add(id);
            }
        }
    }
}
