package io.kvern.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Crc32c;
import io.kvern.model.Namespace;
import io.kvern.model.PublishId;
import io.kvern.model.WriteMode;
import io.kvern.protocol.LoadAnswer;
import io.kvern.protocol.LoadRequestEvent;
import io.kvern.protocol.ReplyEvent;
import io.kvern.protocol.ReplyEventCodec;
import io.kvern.protocol.Topics;
import io.kvern.store.BlockStore;
import io.kvern.store.BlockStores;
import io.kvern.store.PartitionHandle;
import io.kvern.store.StoreConfig;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a request is told, over a real store, by how sure the node is. */
class LoadAnswererTest {
    private static final BlocksLog LOG = new BlocksLog("blocks", new UUID(1, 2), 2, "dead");
    private static final UUID REQUEST = new UUID(3, 4);
    private static final long NOW = 1_700_000_000_000L;
    private static final int LENGTH = 2 * Topics.CHUNK_PAYLOAD_BYTES + 7;

    @TempDir
    private Path dir;

    private BlockStore store;
    private Certainty certainty = Certainty.CURRENT;
    private final LoadCounters counters = new LoadCounters();
    private final BlockKey fixed = key("{a}fixed");
    private final BlockKey changeable = key("{a}changeable");
    private final int partition = LOG.partitionOf(fixed);
    private final byte[] content = new byte[LENGTH];

    @BeforeEach
    void fill() {
        store = BlockStores.open(
                new StoreConfig(dir, 64 << 20, 0.8, 0, 4 << 20, 4 << 20, 1 << 30, Duration.ofHours(1), 8 << 20));
        PartitionHandle handle = store.attach(LOG.partition(partition));
        new Random(1).nextBytes(content);
        apply(handle, fixed, WriteMode.IF_ABSENT, 1);
        apply(handle, changeable, WriteMode.SET, 2);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static BlockKey key(String id) {
        return Namespace.opaque("test").key(BlockId.of(id));
    }

    private void apply(PartitionHandle to, BlockKey key, WriteMode mode, long offset) {
        int crc = Crc32c.of(ByteBuffer.wrap(content));
        ChunkHeader whole = new ChunkHeader(
                new PublishId(1, 1, offset), 5, mode, LENGTH, 0, LENGTH, crc, crc, List.of(), null, 0, 0);
        to.apply(key, whole, ByteBuffer.wrap(content), offset, 0);
    }

    private List<ReplyEvent> ask(long epoch, long deadline, BlockKey... keys) {
        List<ReplyEvent> replies = new ArrayList<>();
        LoadAnswerer answerer = new LoadAnswerer(store, key -> certainty, LOG::partitionOf, counters, () -> NOW);
        answerer.answer(
                new LoadRequestEvent(REQUEST, "w", List.of(keys), epoch, deadline, 0, 0),
                partition,
                event -> replies.add(ReplyEventCodec.decode(event)));
        assertThat(replies).allSatisfy(reply -> assertThat(reply.requestId()).isEqualTo(REQUEST));
        return replies;
    }

    private List<ReplyEvent> ask(BlockKey... keys) {
        return ask(0, NOW + 1000, keys);
    }

    private @Nullable LoadAnswer statusOf(BlockKey key) {
        return ask(key).getFirst() instanceof ReplyEvent.Status status ? status.status() : null;
    }

    private void assertWhole(List<ReplyEvent> replies, BlockKey key) {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
        for (ReplyEvent reply : replies) {
            ReplyEvent.Chunk chunk = (ReplyEvent.Chunk) reply;
            assertThat(chunk.key()).isEqualTo(key);
            assertThat(chunk.offset()).isEqualTo(bytes.position());
            assertThat(chunk.totalLength()).isEqualTo(LENGTH);
            assertThat(chunk.blockCrc()).isEqualTo(Crc32c.of(ByteBuffer.wrap(content)));
            bytes.put(chunk.payload());
        }
        assertThat(bytes.array()).isEqualTo(content);
    }

    @Test
    void whoIsCurrentAnswersEverything() {
        assertWhole(ask(fixed), fixed);
        assertWhole(ask(changeable), changeable);
        assertThat(statusOf(key("{a}absent"))).isEqualTo(LoadAnswer.MISS);
        assertThat(counters.answered.sum()).isEqualTo(2);
        assertThat(counters.bytes.sum()).isEqualTo(2L * LENGTH);
        assertThat(counters.misses.sum()).isEqualTo(1);
    }

    @Test
    void whoIsUnsureServesOnlyWhatCannotBeStale() {
        certainty = Certainty.UNSURE;

        assertWhole(ask(fixed), fixed);
        assertThat(statusOf(changeable)).isEqualTo(LoadAnswer.UNSURE);
        assertThat(statusOf(key("{a}absent"))).isEqualTo(LoadAnswer.UNSURE);
    }

    @Test
    void aKeyOfAnotherPartitionIsRefused() {
        BlockKey other = Stream.iterate(0, i -> i + 1)
                .map(i -> key("other" + i))
                .filter(key -> LOG.partitionOf(key) != partition)
                .findFirst()
                .orElseThrow();

        assertThat(ask(other, fixed).getFirst()).isInstanceOfSatisfying(ReplyEvent.Status.class, status -> {
            assertThat(status.status()).isEqualTo(LoadAnswer.REFUSED);
            assertThat(status.detail()).contains("partition " + LOG.partitionOf(other));
        });
    }

    @Test
    void anOlderEpochIsAMissOnlyToWhoIsSure() {
        assertWhole(ask(5, NOW + 1000, fixed), fixed);
        assertThat(((ReplyEvent.Status) ask(6, NOW + 1000, fixed).getFirst()).status())
                .isEqualTo(LoadAnswer.MISS);
        certainty = Certainty.UNSURE;
        assertThat(((ReplyEvent.Status) ask(6, NOW + 1000, fixed).getFirst()).status())
                .isEqualTo(LoadAnswer.UNSURE);
    }

    @Test
    void whatIsLateIsSaidOnceAndWhatIsLongOverNotAtAll() {
        assertThat(ask(0, NOW, fixed, changeable))
                .singleElement()
                .isInstanceOfSatisfying(ReplyEvent.Status.class, status -> {
                    assertThat(status.key()).isNull();
                    assertThat(status.status()).isEqualTo(LoadAnswer.LATE);
                });
        assertThat(ask(0, NOW - 60_000, fixed)).isEmpty();
        assertThat(counters.late.sum()).isEqualTo(3);
    }

    @Test
    void aDamagedCopyIsDroppedAndNeverComplete() throws IOException {
        store.sync(Duration.ofSeconds(30));
        try (Stream<Path> files = Files.walk(dir)) {
            for (Path data :
                    files.filter(file -> file.toString().endsWith(".data")).toList()) {
                try (RandomAccessFile file = new RandomAccessFile(data.toFile(), "rw")) {
                    file.seek(10);
                    int old = file.read();
                    file.seek(10);
                    file.write(old ^ 1);
                }
            }
        }

        List<ReplyEvent> replies = ask(fixed);

        assertThat(replies).hasSize(3);
        assertThat(replies.getLast())
                .isInstanceOfSatisfying(
                        ReplyEvent.Status.class,
                        status -> assertThat(status.status()).isEqualTo(LoadAnswer.CORRUPT));
        assertThat(statusOf(fixed)).isEqualTo(LoadAnswer.MISS);
    }
}
