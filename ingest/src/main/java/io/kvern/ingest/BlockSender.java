package io.kvern.ingest;

import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publisher's own thread: takes what was accepted, in order, and gives it to the Kafka producer, whose {@code send} may
 * stall for metadata or for room. Whoever publishes never comes here. What waits is bounded by the byte budget.
 *
 * <p>Until a partition has acknowledged one record of this producer, a second is not sent to it. Where the partition's leader
 * takes office between two requests it refuses the first and takes the second, whatever its sequence number, since it knows
 * nothing of this producer yet; the first is then out of order, and Kafka's producer repeats it in vain until its timeout.
 */
final class BlockSender implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(BlockSender.class);

    private final LogProducer producer;
    private final PublisherConfig config;
    private final FailureReason reasons;
    private final BlockingQueue<Outgoing> queue = new LinkedBlockingQueue<>();
    private volatile boolean stopped;

    /** Which partitions have acknowledged a record of the producer of generation {@link #generation}. Of this thread only. */
    private final boolean[] open;

    private int generation;

    BlockSender(LogProducer producer, PublisherConfig config, FailureReason reasons) {
        this.producer = producer;
        this.config = config;
        this.reasons = reasons;
        this.open = new boolean[config.partitions()];
    }

    void enqueue(Outgoing outgoing) {
        queue.add(outgoing);
    }

    /** Ends the thread at its next look; it is to be interrupted too. */
    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        while (!stopped) {
            Outgoing next = next();
            if (next != null) {
                send(next);
            }
        }
    }

    /** Null when interrupted, which only {@link #stop} is a reason for. */
    private @Nullable Outgoing next() {
        try {
            return queue.take();
        } catch (InterruptedException e) {
            return null;
        }
    }

    private void send(Outgoing outgoing) {
        try {
            if (!topicReady(outgoing)) {
                return;
            }
            switch (outgoing) {
                case OutgoingBlock block -> sendChunks(block);
                case OutgoingRemoval removal -> send(removal, null);
            }
        } catch (InterruptException | InterruptedException e) {
            outgoing.fail("the publisher is closed", e);
        } catch (KafkaException e) {
            outgoing.fail(reasons.of(e), e);
        } catch (Throwable t) {
            // A segment whose arena was closed too early, say. The thread must live on for the other blocks.
            LOG.error("block {} could not be sent", outgoing.key(), t);
            outgoing.fail("its memory could not be read or sent: " + t, t);
        }
    }

    /** Waits for the topic's metadata, and holds its partitions against those pinned. */
    private boolean topicReady(Outgoing outgoing) {
        while (!outgoing.decided()) {
            try {
                int found = producer.partitions();
                if (found == config.partitions()) {
                    return true;
                }
                String reason = reasons.wrongPartitions(found);
                outgoing.fail(reason, new IllegalStateException(reason));
            } catch (TimeoutException e) {
                outgoing.obstructedBy(e);
            }
        }
        return false;
    }

    private void sendChunks(OutgoingBlock block) throws InterruptedException {
        if (!block.checksum()) {
            return;
        }
        for (int chunk = 0; chunk < block.chunks(); chunk++) {
            byte[] value = block.decided() ? null : block.encode(chunk);
            if (value == null) {
                return;
            }
            send(block, value);
        }
    }

    private void send(Outgoing outgoing, byte @Nullable [] value) throws InterruptedException {
        var message = new ProducerRecord<>(
                config.topic(), outgoing.partition(), outgoing.key().toBytes(), value);
        outgoing.begin();
        while (!outgoing.decided()) {
            producer.send(message, outgoing);
            if (outgoing.taken()) {
                openBy(outgoing);
                return;
            }
        }
    }

    /** Waits, once for each partition, for the acknowledgement of the first record sent to it. */
    private void openBy(Outgoing first) throws InterruptedException {
        if (generation != producer.generation()) {
            generation = producer.generation();
            Arrays.fill(open, false);
        }
        if (!open[first.partition()]) {
            open[first.partition()] = first.awaitAcknowledgement();
        }
    }
}
