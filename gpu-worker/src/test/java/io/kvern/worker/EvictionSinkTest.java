package io.kvern.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.ingest.BlockPut;
import io.kvern.ingest.Publication;
import io.kvern.ingest.PublishOutcome;
import io.kvern.model.BlockId;
import io.kvern.model.InvalidInputException;
import io.kvern.model.Namespace;
import io.kvern.worker.memory.HostMemory;
import io.kvern.worker.memory.PinnedLease;
import io.kvern.worker.memory.PinnedPool;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EvictionSinkTest {
    private static final BlockPut PUT = BlockPut.of(Namespace.opaque("model"), BlockId.of("block"));

    private final PinnedPool pool = PinnedPool.open(new HostMemory(), 1000, 2);
    private final List<ByteBuffer> payloads = new ArrayList<>();
    private final List<Publication> publications = new ArrayList<>();
    private final EvictionSink sink = new EvictionSink(this::publish);

    /** Holds on to the payload until the test completes the publication, as a producer holds its batches. */
    private Publication publish(BlockPut put, ByteBuffer payload) {
        payloads.add(payload);
        Publication publication = new Publication(put.key(), new CompletableFuture<>(), new CompletableFuture<>());
        publications.add(publication);
        return publication;
    }

    @AfterEach
    void everySlotIsBack() {
        pool.close(Duration.ZERO);
    }

    private PinnedLease filled() throws InterruptedException {
        PinnedLease lease = pool.lease(Duration.ZERO);
        for (int i = 0; i < 1000; i++) {
            lease.buffer().put(i, (byte) i);
        }
        return lease;
    }

    @Test
    void theSlotStaysUntilThePublisherIsDoneWithIt() throws Exception {
        PinnedLease lease = filled();

        Publication publication = sink.evict(PUT, lease, 700);
        lease.release();

        assertThat(publication.key()).isEqualTo(PUT.key());
        assertThat(payloads.getFirst()).isEqualTo(lease.buffer().limit(700));
        assertThat(pool.leased()).isEqualTo(1);
        assertThat(sink.stats()).isEqualTo(new SinkStats(1, 0, 0, 0, 0, 1));

        publication.released().complete(null);
        assertThat(pool.leased()).isZero();
        publication.outcome().complete(new PublishOutcome.Published(0, 1, 2));
        assertThat(sink.stats()).isEqualTo(new SinkStats(1, 1, 700, 0, 0, 0));
    }

    @Test
    void theCallerMayKeepTheSlotLonger() throws Exception {
        PinnedLease lease = filled();

        sink.evict(PUT, lease, 1000).released().complete(null);

        assertThat(lease.buffer().get(5)).isEqualTo((byte) 5);
        lease.release();
    }

    @Test
    void dropsAndFailuresAreCountedAndGiveTheSlotBack() throws Exception {
        for (PublishOutcome outcome : List.of(
                new PublishOutcome.Dropped(10, 10),
                new PublishOutcome.Failed("late", new IllegalStateException("x")))) {
            PinnedLease lease = filled();
            Publication publication = sink.evict(PUT, lease, 1);
            lease.release();
            publication.released().complete(null);
            publication.outcome().complete(outcome);
        }

        assertThat(sink.stats()).isEqualTo(new SinkStats(2, 0, 0, 1, 1, 0));
        assertThat(pool.leased()).isZero();
    }

    @Test
    void whatThePublisherWillNotTakeIsTheCallersAgain() throws Exception {
        EvictionSink refusing = new EvictionSink((put, payload) -> {
            throw InvalidInputException.overLimit("block length", payload.remaining(), 10, "block.max.bytes");
        });
        PinnedLease lease = filled();

        assertThatThrownBy(() -> refusing.evict(PUT, lease, 11))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("block.max.bytes");

        assertThat(refusing.stats()).isEqualTo(new SinkStats(1, 0, 0, 0, 1, 0));
        lease.release();
        assertThat(pool.leased()).isZero();
    }

    @Test
    void impossibleLengthsAreRefused() throws Exception {
        PinnedLease lease = filled();
        for (int length : new int[] {0, -1, 1001}) {
            assertThatThrownBy(() -> sink.evict(PUT, lease, length))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining(Integer.toString(length))
                    .hasMessageContaining("1000");
        }
        lease.release();
        assertThatThrownBy(() -> sink.evict(PUT, lease, 1)).isInstanceOf(IllegalStateException.class);
        assertThat(publications).isEmpty();
        assertThat(sink.stats().leased()).isZero();
    }
}
