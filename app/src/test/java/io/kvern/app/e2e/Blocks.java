package io.kvern.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.app.node.NodeRuntime;
import io.kvern.ingest.BlockPublisher;
import io.kvern.ingest.BlockPut;
import io.kvern.ingest.Publication;
import io.kvern.ingest.PublishOutcome;
import io.kvern.model.BlockId;
import io.kvern.model.Namespace;
import io.kvern.worker.load.BlockLoad;
import io.kvern.worker.load.BlockSource;
import io.kvern.worker.load.LoadRequest;
import io.kvern.worker.load.LoadResult;
import io.kvern.worker.load.LoadStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Publishing and loading as the tests do it: every buffer is filled with a pattern before a load, every byte is compared. */
final class Blocks {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int BATCH_BYTES = 128 << 20;

    private Blocks() {}

    static Publication publish(BlockPublisher publisher, Payload payload) {
        return publisher.publish(BlockPut.of(payload.namespace(), BlockId.of(payload.id())), payload.bytes());
    }

    static PublishOutcome outcome(Publication publication) throws Exception {
        return publication.outcome().get(60, TimeUnit.SECONDS);
    }

    static PublishOutcome.Published published(Publication publication) throws Exception {
        PublishOutcome outcome = outcome(publication);
        assertThat(outcome).as("publication of %s", publication.key()).isInstanceOf(PublishOutcome.Published.class);
        return (PublishOutcome.Published) outcome;
    }

    /** Loads all in batches of bounded size, and compares every byte. */
    static void assertAllLoad(BlockSource loader, List<Payload> payloads) {
        List<Payload> batch = new ArrayList<>();
        long bytes = 0;
        for (Payload payload : payloads) {
            if (!batch.isEmpty() && bytes + payload.length() > BATCH_BYTES) {
                assertBatchLoads(loader, batch);
                batch.clear();
                bytes = 0;
            }
            batch.add(payload);
            bytes += payload.length();
        }
        if (!batch.isEmpty()) {
            assertBatchLoads(loader, batch);
        }
    }

    private static void assertBatchLoads(BlockSource loader, List<Payload> batch) {
        List<LoadRequest> requests = batch.stream()
                .map(payload -> new LoadRequest(BlockId.of(payload.id()), patterned(payload.length())))
                .toList();
        LoadResult result = loader.load(requests, DEADLINE);
        for (int i = 0; i < batch.size(); i++) {
            BlockLoad load = result.blocks().get(i);
            Payload payload = batch.get(i);
            assertThat(load.status()).as("%s: %s", payload, load.detail()).isEqualTo(LoadStatus.LOADED);
            assertThat(load.length()).isEqualTo(payload.length());
            assertThat(payload.equalsBytes(requests.get(i).destination().flip()))
                    .as("bytes of %s", payload)
                    .isTrue();
        }
    }

    /** Publishes all, and waits for Kafka and for the node. */
    static void store(BlockPublisher publisher, NodeRuntime node, List<Payload> payloads) throws Exception {
        List<Publication> publications = new ArrayList<>();
        for (Payload payload : payloads) {
            publications.add(publish(publisher, payload));
        }
        for (Publication publication : publications) {
            published(publication);
        }
        assertThat(node.awaitApplied(DEADLINE)).as("all applied").isTrue();
    }

    /** {@code count} blocks, each of another length, {@code bytes} at most. */
    static List<Payload> some(Namespace namespace, String prefix, int count, int bytes) {
        List<Payload> payloads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            payloads.add(new Payload(namespace, prefix + i, bytes - i, 0));
        }
        return payloads;
    }

    static LoadStatus status(BlockSource loader, Payload payload) {
        return load(loader, payload.id(), payload.length(), Duration.ofSeconds(20))
                .status();
    }

    static BlockLoad load(BlockSource loader, String id, int room, Duration deadline) {
        return loader.load(List.of(new LoadRequest(BlockId.of(id), patterned(room))), deadline)
                .blocks()
                .getFirst();
    }

    static ByteBuffer patterned(int length) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(length);
        while (buffer.hasRemaining()) {
            buffer.put((byte) 0xA5);
        }
        return buffer.flip();
    }
}
