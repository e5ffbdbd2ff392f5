package io.kvern.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Crc32c;
import io.kvern.model.Namespace;
import io.kvern.model.PublishId;
import io.kvern.model.WriteMode;
import io.kvern.store.BlockStore;
import io.kvern.store.BlockStores;
import io.kvern.store.PartitionHandle;
import io.kvern.store.StoreConfig;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node forgets, over a real store, when Kafka says that its log does not go on behind what was applied. */
class AttachedPartitionsTest {
    private static final BlocksLog LOG = new BlocksLog("blocks", new UUID(1, 2), 1, "dead");
    private static final long APPLIED = 10;
    private static final BlockKey FIXED = key("fixed");
    private static final BlockKey CHANGEABLE = key("changeable");

    @TempDir
    private Path dir;

    private BlockStore store;
    private AttachedPartitions partitions;
    private LogBounds bounds = new LogBounds(0, APPLIED + 1);

    @BeforeEach
    void fill() {
        open();
        PartitionHandle handle = partitions.attach(0).handle();
        apply(handle, FIXED, WriteMode.IF_ABSENT, APPLIED - 1);
        apply(handle, CHANGEABLE, WriteMode.SET, APPLIED);
        store.sync(Duration.ofSeconds(30));
        assertThat(handle.resumeOffset()).isEqualTo(APPLIED);
    }

    private void open() {
        store = BlockStores.open(
                new StoreConfig(dir, 64 << 20, 0.8, 0, 4 << 20, 1 << 20, 1 << 30, Duration.ofHours(1), 8 << 20));
        partitions = new AttachedPartitions(LOG, store);
        partitions.follow(() -> {}, partition -> bounds);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static BlockKey key(String id) {
        return Namespace.opaque("test").key(BlockId.of(id));
    }

    private static void apply(PartitionHandle to, BlockKey key, WriteMode mode, long offset) {
        byte[] bytes = "some bytes".getBytes(UTF_8);
        int crc = Crc32c.of(ByteBuffer.wrap(bytes));
        ChunkHeader whole = new ChunkHeader(
                new PublishId(1, 1, offset), 0, mode, bytes.length, 0, bytes.length, crc, crc, List.of(), null, 0, 0);
        to.apply(key, whole, ByteBuffer.wrap(bytes), offset, 0);
    }

    private void restart() {
        store.close();
        open();
    }

    private void nothingIsForgotten(PartitionHandle handle) {
        assertThat(handle.applied()).isEqualTo(APPLIED);
        assertThat(store.find(FIXED)).isNotNull();
        assertThat(store.find(CHANGEABLE)).isNotNull();
    }

    private void whatMayBeStaleIsForgotten(PartitionHandle handle) {
        assertThat(handle.applied()).isEqualTo(PartitionHandle.NONE);
        assertThat(store.find(FIXED)).isNotNull();
        assertThat(store.find(CHANGEABLE)).isNull();
    }

    @Test
    void aLogThatGoesOnCostsNothing() {
        restart();
        bounds = new LogBounds(APPLIED + 1, APPLIED + 5);

        nothingIsForgotten(partitions.attach(0).handle());
    }

    @Test
    void aLogThatEndsBeforeWhatWasApplied() {
        restart();
        bounds = new LogBounds(0, APPLIED);

        whatMayBeStaleIsForgotten(partitions.attach(0).handle());
    }

    @Test
    void aLogThatBeginsBehindWhatWasApplied() {
        restart();
        bounds = new LogBounds(APPLIED + 2, APPLIED + 5);

        whatMayBeStaleIsForgotten(partitions.attach(0).handle());
    }

    @Test
    void inAProcessThatKnewTheLogBeforeTheThreadEndsOnce() {
        partitions.detach(partitions.attach(0));
        bounds = new LogBounds(0, APPLIED);

        assertThatThrownBy(() -> partitions.attach(0)).isInstanceOf(LogLostException.class);

        whatMayBeStaleIsForgotten(partitions.attach(0).handle());
    }

    @Test
    void retentionThatOvertakesARunningNodeIsNoticed() {
        AttachedPartition running = partitions.attach(0);
        running.setActive(true);
        long asked = System.nanoTime();
        running.logIs(new LogBounds(APPLIED + 1, APPLIED + 5), asked, APPLIED);
        running.forgetLostLog();
        nothingIsForgotten(running.handle());

        running.logIs(new LogBounds(APPLIED + 2, APPLIED + 5), asked, APPLIED);

        assertThat(running.caughtUp()).isFalse();
        assertThat(running.applied(APPLIED)).isFalse();
        assertThatThrownBy(running::forgetLostLog)
                .isInstanceOf(LogLostException.class)
                .hasMessageContaining("offset " + APPLIED);
        whatMayBeStaleIsForgotten(running.handle());
    }

    @Test
    void offsetsThatTheGroupHasPassedWithoutARecordAreNoLoss() {
        AttachedPartition running = partitions.attach(0);
        running.setActive(true);
        running.groupIsAt(APPLIED + 4);

        running.logIs(new LogBounds(APPLIED + 4, APPLIED + 5), System.nanoTime(), APPLIED);
        running.forgetLostLog();

        nothingIsForgotten(running.handle());
    }

    @Test
    void anEndThatIsLostWhileTheNodeRunsIsNoticed() {
        AttachedPartition running = partitions.attach(0);

        running.logIs(new LogBounds(0, APPLIED), System.nanoTime(), APPLIED);

        assertThatThrownBy(running::forgetLostLog).isInstanceOf(LogLostException.class);
        whatMayBeStaleIsForgotten(running.handle());
    }
}
