package io.kvern.ingest;

import io.kvern.ingest.PublishOutcome.Dropped;
import io.kvern.ingest.PublishOutcome.Failed;
import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.InvalidInputException;
import io.kvern.model.PublishId;
import io.kvern.protocol.Partitioning;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of blocks into the log. Every method is safe in any thread.
 *
 * <p>{@link #publish} never stalls its caller beyond {@link PublisherConfig#maxWait}: not for metadata, not for a slow or an
 * absent broker. It takes bytes from the budget, or drops the block; the publisher's own thread takes the checksums, copies
 * the bytes out and sends them. A block that Kafka has not acknowledged in whole within the delivery timeout fails, and what
 * is left of it is not sent.
 *
 * <p>Futures complete on the publisher's threads: what a caller attaches to them must be short and must not block, or be
 * attached with an executor of its own.
 */
public final class BlockPublisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BlockPublisher.class);

    /** How long the sender is waited for at the end: it copies half a MiB at a time, and leaves Kafka when interrupted. */
    private static final Duration SENDER_END_LIMIT = Duration.ofSeconds(1);

    private static final long WATCH_INTERVAL_MS = 250;

    private final PublisherConfig config;
    private final InstantSource clock;
    private final FailureReason reasons;
    private final ByteBudget budget;
    private final LogProducer producer;
    private final BlockSender sender;
    private final Thread senderThread;
    private final ScheduledThreadPoolExecutor deadlines;
    private final UUID incarnation = UUID.randomUUID();
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final PublisherBooks books;

    /**
     * Connects in the background: an absent broker is no error here.
     *
     * @throws InvalidInputException if Kafka refuses a setting, or no name of the brokers can be resolved
     */
    public BlockPublisher(PublisherConfig config) {
        this(config, InstantSource.system());
    }

    BlockPublisher(PublisherConfig config, InstantSource clock) {
        this.config = config;
        this.clock = clock;
        this.reasons = new FailureReason(config);
        this.budget = new ByteBudget(config.budgetBytes());
        this.books = new PublisherBooks(budget);
        this.producer = new LogProducer(config);
        this.sender = new BlockSender(producer, config, reasons);
        this.deadlines = new ScheduledThreadPoolExecutor(
                1,
                Thread.ofPlatform().daemon().name("kvern-publisher-deadlines").factory());
        deadlines.setRemoveOnCancelPolicy(true);
        var unused = deadlines.scheduleWithFixedDelay(
                this::watchProducer, WATCH_INTERVAL_MS, WATCH_INTERVAL_MS, TimeUnit.MILLISECONDS);
        this.senderThread = Thread.ofPlatform().daemon().name("kvern-publisher").start(sender);
    }

    /**
     * Publishes the remaining bytes of {@code payload} as one block. They are read until {@link Publication#released}
     * completes; the buffer's position stays.
     *
     * @throws InvalidInputException at once, and nothing is sent, if the block is empty, over {@code block.max.bytes},
     *     described wrongly, or in memory that only the caller's thread may read
     */
    public Publication publish(BlockPut put, ByteBuffer payload) {
        int length = payload.remaining();
        checkLength(length);
        ByteBuffer bytes = payload.slice().asReadOnlyBuffer();
        if (!MemorySegment.ofBuffer(bytes).isAccessibleBy(senderThread)) {
            throw new InvalidInputException(
                    "block of %d bytes lies in memory of a confined arena, which the publisher's thread may not read"
                            .formatted(length));
        }
        ChunkHeader first = firstHeader(put, length);
        Duration patience = config.maxWait();
        if (closed.get()) {
            return refused(
                    put.key(), new Failed("the publisher is closed", new IllegalStateException("closed")), length);
        }
        if (!reserve(OutgoingBlock.reserved(length), patience)) {
            return refused(put.key(), new Dropped(config.budgetBytes(), budget.lent()), length);
        }
        OutgoingBlock block = new OutgoingBlock(
                put.key(),
                partitionOf(put.key()),
                first,
                bytes,
                config.chunkPayloadBytes(),
                senderThread,
                reasons,
                books);
        accept(block);
        return block.publication();
    }

    /** The same for a segment of memory, which must stay alive until {@link Publication#released} completes. */
    public Publication publish(BlockPut put, MemorySegment payload) {
        checkLength(payload.byteSize());
        return publish(put, payload.asByteBuffer());
    }

    /** Publishes the removal of a block. It overtakes no block that was published before it here. */
    public CompletableFuture<PublishOutcome> remove(BlockKey key) {
        if (closed.get()) {
            books.removalRefused();
            return CompletableFuture.completedFuture(
                    new Failed("the publisher is closed", new IllegalStateException("closed")));
        }
        if (!reserve(PublisherConfig.OVERHEAD_BYTES, config.maxWait())) {
            books.removalRefused();
            return CompletableFuture.completedFuture(new Dropped(config.budgetBytes(), budget.lent()));
        }
        OutgoingRemoval removal = new OutgoingRemoval(key, partitionOf(key), senderThread, reasons, books);
        accept(removal);
        return removal.outcome();
    }

    /**
     * Waits until everything accepted before this call has its outcome, at most {@code patience}.
     *
     * @return whether it has
     */
    public boolean flush(Duration patience) throws InterruptedException {
        CompletableFuture<?>[] outcomes =
                books.inFlight().stream().map(Outgoing::outcome).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(outcomes).get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an outcome never completes exceptionally", e);
        }
    }

    public PublisherStats stats() {
        return books.stats();
    }

    /** {@link #close(Duration)} with the delivery timeout, within which everything has its outcome anyway. */
    @Override
    public void close() {
        close(config.deliveryTimeout());
    }

    /**
     * Takes nothing more, waits at most {@code patience} for what is in flight, fails the rest, and ends the threads; at most
     * about a second longer than that. When it returns every future of this publisher is complete. Harmless when called again.
     */
    public void close(Duration patience) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        long end = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        try {
            interrupted = !flushUntil(end);
        } finally {
            sender.stop();
            senderThread.interrupt();
            // What a racing publish() still lets in is found by going round until nothing is left.
            while (!books.inFlight().isEmpty()) {
                books.inFlight()
                        .forEach(left -> left.fail(
                                "the publisher was closed before Kafka acknowledged it",
                                new IllegalStateException("closed")));
            }
            interrupted |= endThreads(Math.max(0, end - System.nanoTime()));
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** False where the caller's thread was interrupted, which ends the waiting. */
    private boolean flushUntil(long end) {
        try {
            long left;
            while (!books.inFlight().isEmpty() && (left = end - System.nanoTime()) > 0) {
                flush(Duration.ofNanos(left));
            }
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private boolean endThreads(long producerPatienceNanos) {
        boolean interrupted = Thread.interrupted();
        deadlines.shutdownNow();
        try {
            if (!senderThread.join(SENDER_END_LIMIT)) {
                LOG.warn("the publisher's thread has not ended within {}", SENDER_END_LIMIT);
            }
            producer.close(Duration.ofNanos(Math.min(producerPatienceNanos, SENDER_END_LIMIT.toNanos())));
        } catch (InterruptedException | InterruptException e) {
            interrupted = true;
            Thread.interrupted();
            producer.close(Duration.ZERO);
        } catch (KafkaException e) {
            LOG.warn("closing the producer met an error", e);
        }
        return interrupted;
    }

    private void checkLength(long length) {
        if (length == 0) {
            throw new InvalidInputException("block has 0 bytes; at least 1 is needed");
        }
        if (length > config.maxBlockBytes()) {
            throw InvalidInputException.overLimit(
                    "length of the block", length, config.maxBlockBytes(), "block.max.bytes");
        }
    }

    /** Also the check of everything that the caller says of the block; the CRCs come later. */
    private ChunkHeader firstHeader(BlockPut put, int length) {
        return new ChunkHeader(
                new PublishId(
                        incarnation.getMostSignificantBits(),
                        incarnation.getLeastSignificantBits(),
                        sequence.getAndIncrement()),
                put.epoch(),
                put.mode(),
                length,
                0,
                Math.min(length, config.chunkPayloadBytes()),
                0,
                0,
                put.components(),
                put.parentId(),
                clock.millis(),
                put.expiresAtMillis());
    }

    private int partitionOf(BlockKey key) {
        return Partitioning.partitionOf(key.slot(), config.partitions());
    }

    private boolean reserve(long bytes, Duration patience) {
        try {
            return budget.take(bytes, patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Publication refused(BlockKey key, PublishOutcome outcome, int length) {
        books.refused(outcome, length);
        return new Publication(
                key, CompletableFuture.completedFuture(null), CompletableFuture.completedFuture(outcome));
    }

    private void accept(Outgoing outgoing) {
        books.accepted(outgoing);
        if (closed.get()) {
            outgoing.fail("the publisher is closed", new IllegalStateException("closed"));
            return;
        }
        try {
            outgoing.watchedBy(deadlines.schedule(
                    outgoing::expire, config.deliveryTimeout().toNanos(), TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException e) {
            outgoing.fail("the publisher is closed", e);
            return;
        }
        sender.enqueue(outgoing);
    }

    /** Fails what a producer that goes round in circles had been given; what still waits goes to the next one. */
    private void watchProducer() {
        try {
            producer.replaceIfBatchesGoRound(reason -> books.inFlight().stream()
                    .filter(Outgoing::begun)
                    .forEach(lost -> lost.fail(reason, new IllegalStateException(reason))));
        } catch (RuntimeException e) {
            LOG.error("the producer could not be replaced; looking again", e); // thrown on, it would end the watch
        }
    }
}
