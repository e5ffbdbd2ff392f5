package io.kvern.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.ingest.PublishOutcome.Failed;
import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.Namespace;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The broker goes and comes back under a publisher that stays. */
@Timeout(90)
class BrokerAwayIT {
    private static final Namespace NAMESPACE = Namespace.opaque("away");
    private static final int CHUNK = 64 << 10;

    @TempDir
    private Path dir;

    @Test
    void whatWasPublishedWhileItWasAwayArrivesWhenItIsBackInTime() throws Exception {
        TestBroker broker = new TestBroker(dir);
        String address = broker.bootstrap();
        int port = broker.port();
        String topic = broker.topic(2, Map.of());
        try (BlockPublisher publisher =
                new BlockPublisher(PublisherConfig.of(address, topic, 2).withSizes(CHUNK, 8 << 20))) {
            BlockPublisherIT.published(publish(publisher, "before", 3 * CHUNK));
            broker.close();
            List<Publication> away = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                away.add(publish(publisher, "away-" + i, 3 * CHUNK));
            }
            try (TestBroker again = new TestBroker(dir, port, Map.of())) {
                for (Publication publication : away) {
                    BlockPublisherIT.published(publication);
                }
                // Sent again where it had to be, but in the log once.
                assertThat(LogReader.records(again.bootstrap(), topic, 2)).hasSize(3 * 21);
            }
        }
    }

    @Test
    void aBlockThatFailsIsNotSentOnAndTheNextOneIsPublished() throws Exception {
        TestBroker broker = new TestBroker(dir);
        String address = broker.bootstrap();
        int port = broker.port();
        String topic = broker.topic(1, Map.of());
        // Room for a few batches only, so that the block's end is still with the publisher when its time is up.
        PublisherConfig config = PublisherConfig.of(address, topic, 1)
                .withSizes(CHUNK, 8 << 20)
                .withDeliveryTimeout(Duration.ofMillis(1500))
                .withClientProperties(Map.of("buffer.memory", Integer.toString(2 << 20)));
        try (BlockPublisher publisher = new BlockPublisher(config)) {
            BlockPublisherIT.published(publish(publisher, "before", CHUNK));
            broker.close();
            BlockKey large = BlockPut.of(NAMESPACE, BlockId.of("large")).key();
            // Its arena can be closed as soon as it has failed: released means that nobody reads it any more.
            try (Arena arena = Arena.ofShared()) {
                Publication publication =
                        publisher.publish(BlockPut.of(NAMESPACE, BlockId.of("large")), arena.allocate(8 << 20));
                Failed failed = BlockPublisherIT.failed(publication);
                assertThat(failed.reason()).contains("of 128 records", address);
                assertThat(publication.released()).isCompleted();
            }

            try (TestBroker again = new TestBroker(dir, port, Map.of())) {
                BlockKey late = untilPublished(publisher);
                List<BlockKey> keys = LogReader.records(again.bootstrap(), topic, 1).stream()
                        .map(entry -> BlockKey.decode(entry.key()))
                        .toList();
                assertThat(keys).contains(late);
                assertThat(keys.stream().filter(large::equals).count()).isLessThan(64);
            }
        }
    }

    /** The first tries may run out of time while the broker starts. */
    private static BlockKey untilPublished(BlockPublisher publisher) throws Exception {
        for (int attempt = 0; attempt < 15; attempt++) {
            Publication publication = publish(publisher, "after-" + attempt, 100);
            if (publication.outcome().get(10, TimeUnit.SECONDS) instanceof PublishOutcome.Published) {
                return publication.key();
            }
        }
        throw new AssertionError("nothing was published after the broker came back: " + publisher.stats());
    }

    @Test
    void memoryThatWentAwayUnreleasedFailsItsBlockOnly() throws Exception {
        TestBroker broker = new TestBroker(dir);
        String address = broker.bootstrap();
        int port = broker.port();
        String topic = broker.topic(1, Map.of());
        broker.close();
        try (BlockPublisher publisher = new BlockPublisher(PublisherConfig.of(address, topic, 1))) {
            Publication careless;
            try (Arena arena = Arena.ofShared()) {
                careless = publisher.publish(BlockPut.of(NAMESPACE, BlockId.of("gone")), arena.allocate(1 << 20));
            }
            Publication next = publish(publisher, "next", 9);
            try (TestBroker again = new TestBroker(dir, port, Map.of())) {
                BlockPublisherIT.published(next);
                assertThat(BlockPublisherIT.failed(careless).reason()).contains("memory");
                assertThat(careless.released()).isCompleted();
                assertThat(LogReader.records(again.bootstrap(), topic, 1)).hasSize(1);
            }
        }
    }

    private static Publication publish(BlockPublisher publisher, String id, int length) {
        return publisher.publish(
                BlockPut.of(NAMESPACE, BlockId.of(id)), ByteBuffer.wrap(BlockPublisherIT.bytes(id.hashCode(), length)));
    }
}
