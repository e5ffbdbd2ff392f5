package io.kvern.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.ingest.PublishOutcome.Dropped;
import io.kvern.ingest.PublishOutcome.Failed;
import io.kvern.model.BlockId;
import io.kvern.model.InvalidInputException;
import io.kvern.model.Namespace;
import io.kvern.protocol.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nobody answers: nothing stalls, nothing hangs, nothing piles up. */
@Timeout(30)
class AbsentBrokerTest {
    private static final Namespace NAMESPACE = Namespace.opaque("absent");
    private static final int LENGTH = 8192;
    private static final long ONE = LENGTH + PublisherConfig.OVERHEAD_BYTES;

    private final PublisherConfig config =
            PublisherConfig.of("127.0.0.1:" + freePort(), "t", 1).withSizes(1024, LENGTH);

    private static int freePort() {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aBlockFailsAtItsTimeoutAndTheCallerIsNotStalled() throws Exception {
        try (BlockPublisher publisher = new BlockPublisher(config.withDeliveryTimeout(Duration.ofSeconds(1)))) {
            long begin = System.nanoTime();
            Publication publication = publish(publisher);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(900));
            assertThat(publication.outcome()).isNotDone();

            Failed failed = (Failed) publication.outcome().get(10, TimeUnit.SECONDS);

            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(990));
            assertThat(failed.reason())
                    .contains("0 of 8 records", "1000 ms", "publish.delivery.timeout", config.bootstrapServers());
            assertThat(publication.released()).isCompleted();
            assertThat(publisher.stats().failedBlocks()).isEqualTo(1);
            assertThat(publisher.stats().failedBytes()).isEqualTo(LENGTH);
            assertThat(publisher.stats().inFlightBytes()).isZero();
        }
    }

    @Test
    void oneThatTakesConnectionsAndNeverAnswersIsTheSame() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + mute.getLocalPort();
            PublisherConfig muted = PublisherConfig.of(address, "t", 1).withDeliveryTimeout(Duration.ofSeconds(1));
            try (BlockPublisher publisher = new BlockPublisher(muted)) {
                Publication publication = publish(publisher);
                assertThat(((Failed) publication.outcome().get(10, TimeUnit.SECONDS)).reason())
                        .contains(address);
            }
            AdminConfig admin =
                    AdminConfig.of(address, Topics.withDefaultPrefix()).withTimeout(Duration.ofSeconds(1));
            try (TopicAdmin topics = TopicAdmin.open(admin)) {
                assertThatThrownBy(topics::check)
                        .isInstanceOf(AdminException.class)
                        .hasMessageContaining(address);
            }
        }
    }

    @Test
    void beyondTheBudgetABlockIsDroppedAndCounted() throws Exception {
        try (BlockPublisher publisher = new BlockPublisher(config.withBudget(2 * ONE, Duration.ZERO))) {
            Publication first = publish(publisher);
            Publication second = publish(publisher);
            assertThat(publisher.stats().inFlightBytes()).isEqualTo(2 * ONE);

            Publication third = publish(publisher);

            assertThat(third.outcome().get()).isEqualTo(new Dropped(2 * ONE, 2 * ONE));
            assertThat(third.released()).isCompleted();
            assertThat(publisher.remove(third.key()).get()).isInstanceOf(Dropped.class);
            assertThat(publisher.stats().droppedBlocks()).isEqualTo(1);
            assertThat(publisher.stats().droppedBytes()).isEqualTo(LENGTH);
            assertThat(publisher.stats().inFlight()).isEqualTo(2);
            assertThat(first.outcome()).isNotDone();
            assertThat(second.outcome()).isNotDone();
            publisher.close(Duration.ZERO);
        }
    }

    @Test
    void withAWaitItIsDroppedWhenTheWaitIsOver() throws Exception {
        Duration patience = Duration.ofMillis(200);
        try (BlockPublisher publisher = new BlockPublisher(config.withBudget(ONE, patience))) {
            publish(publisher);
            long begin = System.nanoTime();
            assertThat(publish(publisher).outcome().get()).isInstanceOf(Dropped.class);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(patience, Duration.ofSeconds(5));
            publisher.close(Duration.ZERO);
        }
    }

    @Test
    void withAWaitItGetsTheBytesThatAnEarlierOneGivesBack() throws Exception {
        PublisherConfig patient =
                config.withDeliveryTimeout(Duration.ofSeconds(1)).withBudget(ONE, Duration.ofSeconds(10));
        try (BlockPublisher publisher = new BlockPublisher(patient)) {
            Publication first = publish(publisher);
            Publication second = publish(publisher);
            assertThat(first.outcome().get(10, TimeUnit.SECONDS)).isInstanceOf(Failed.class);
            assertThat(second.outcome().get(10, TimeUnit.SECONDS)).isInstanceOf(Failed.class);
            assertThat(publisher.stats().droppedBlocks()).isZero();
        }
    }

    @Test
    void closingCompletesEveryFutureWithinItsDeadline() {
        BlockPublisher publisher = new BlockPublisher(config);
        List<Publication> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(publish(publisher));
        }
        CompletableFuture<PublishOutcome> removal =
                publisher.remove(all.getFirst().key());
        long begin = System.nanoTime();

        publisher.close(Duration.ofMillis(300));

        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofMillis(300), Duration.ofSeconds(4));
        assertThat(all).allSatisfy(publication -> {
            assertThat(publication.released()).isCompleted();
            assertThat(publication.outcome()).isCompletedWithValueMatching(Failed.class::isInstance);
        });
        assertThat(removal).isCompletedWithValueMatching(Failed.class::isInstance);
        assertThat(publisher.stats().inFlight()).isZero();
        assertThat(publish(publisher).outcome()).isCompletedWithValueMatching(Failed.class::isInstance);
        assertThat(publisher.remove(all.getFirst().key())).isCompletedWithValueMatching(Failed.class::isInstance);
        publisher.close();
    }

    @Test
    void everyFutureOfThoseWhoPublishWhileItClosesCompletes() throws Exception {
        BlockPublisher publisher = new BlockPublisher(config);
        Queue<Publication> all = new ConcurrentLinkedQueue<>();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            callers.add(Thread.ofPlatform().start(() -> {
                for (int n = 0; n < 2000; n++) {
                    all.add(publish(publisher));
                }
            }));
        }
        publisher.close(Duration.ZERO);
        for (Thread caller : callers) {
            assertThat(caller.join(Duration.ofSeconds(20))).isTrue();
        }

        assertThat(all).hasSize(8000).allSatisfy(publication -> {
            assertThat(publication.released()).isCompleted();
            assertThat(publication.outcome()).isCompleted();
        });
        assertThat(publisher.stats().inFlight()).isZero();
        assertThat(publisher.stats().inFlightBytes()).isZero();
        assertThat(publisher.stats().failedBlocks() + publisher.stats().droppedBlocks())
                .isEqualTo(8000);
    }

    @Test
    void anInterruptedCallerDropsItsBlockAndStaysInterrupted() throws Exception {
        try (BlockPublisher publisher = new BlockPublisher(config.withBudget(ONE, Duration.ofSeconds(20)))) {
            publish(publisher);
            Thread.currentThread().interrupt();
            assertThat(publish(publisher).outcome().get()).isInstanceOf(Dropped.class);
            assertThat(Thread.interrupted()).isTrue();
            publisher.close(Duration.ZERO);
        }
    }

    @Test
    void flushGivesUpAtItsDeadline() throws Exception {
        try (BlockPublisher publisher = new BlockPublisher(config)) {
            publish(publisher);
            assertThat(publisher.flush(Duration.ofMillis(100))).isFalse();
            publisher.close(Duration.ZERO);
            assertThat(publisher.flush(Duration.ofMillis(100))).isTrue();
        }
    }

    @Test
    void settingsThatCannotBeAreNamed() {
        assertThatThrownBy(() -> new BlockPublisher(PublisherConfig.of("nonsense", "t", 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("nonsense");
        assertThatThrownBy(() -> config.withClientProperties(Map.of("acks", "0")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContainingAll("acks", "'0'");
        assertThatThrownBy(() -> config.withBudget(LENGTH, Duration.ZERO))
                .hasMessageContainingAll("publish.budget.bytes", "8192", "8704");
        assertThatThrownBy(() -> config.withSizes(10, 10)).hasMessageContaining("chunk.payload.bytes");
        assertThatThrownBy(() -> new BlockPublisher(config.withClientProperties(Map.of("linger.ms", "soon"))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("linger.ms");
    }

    private static Publication publish(BlockPublisher publisher) {
        return publisher.publish(BlockPut.of(NAMESPACE, BlockId.of("x")), ByteBuffer.allocateDirect(LENGTH));
    }
}
