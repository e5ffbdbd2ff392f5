package io.kvern.worker.log;

import io.kvern.model.InvalidInputException;
import io.kvern.protocol.InvalidEventException;
import io.kvern.protocol.ReplyEvent;
import io.kvern.protocol.ReplyEventCodec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one partition of the replies from where it ends when the reader starts. Where that is, is known before the first
 * request goes out: a reply cannot come in front of it.
 */
final class ReplyReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyReader.class);
    private static final Duration TURN = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final TopicPartition partition;
    private final Consumer<ReplyEvent> listener;
    private final LogCounters counters;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final CountDownLatch positioned = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    /** Why the partition cannot be read; empty while it can. */
    private volatile String trouble = "";

    /**
     * @param listener told of each reply, in the reader's thread
     * @throws InvalidInputException if Kafka refuses a setting, or no name of the brokers can be resolved
     */
    ReplyReader(LogLoaderConfig config, Consumer<ReplyEvent> listener, LogCounters counters) {
        this.partition = new TopicPartition(config.replies(), config.replyPartition());
        this.listener = listener;
        this.counters = counters;
        try {
            consumer = new KafkaConsumer<>(config.consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        } catch (KafkaException e) {
            Throwable told = e.getCause() == null ? e : e.getCause();
            throw new InvalidInputException(
                    "no consumer for the brokers at %s: %s".formatted(config.bootstrapServers(), told.getMessage()), e);
        }
        thread = Thread.ofPlatform().daemon().name("kvern-log-loader-read").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Waits until replies to what is sent from now on cannot be missed; answers whether that is so. */
    boolean awaitPosition(long deadlineAt) throws InterruptedException {
        return positioned.await(deadlineAt - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** For a person. */
    String whyNotPositioned() {
        return "the end of %s is not known yet: %s"
                .formatted(partition, trouble.isEmpty() ? "the brokers have not said" : trouble);
    }

    private void run() {
        try {
            consumer.assign(List.of(partition));
            while (positioned.getCount() > 0 && closed.getCount() > 0) {
                attempt(() -> {
                    consumer.seekToEnd(List.of(partition));
                    consumer.position(partition, TURN);
                    positioned.countDown();
                });
            }
            while (closed.getCount() > 0) {
                attempt(() -> consumer.poll(TURN).forEach(this::read));
            }
        } catch (WakeupException e) {
            LOG.debug("The reader of {} ends", partition, e);
        } finally {
            positioned.countDown();
            // Not until the fetch that waits at the broker comes back, with nothing.
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    /** One step; trouble with Kafka passes, or does not: requesters have their deadlines. */
    private void attempt(Runnable step) {
        try {
            step.run();
            trouble = "";
        } catch (WakeupException e) {
            throw e;
        } catch (KafkaException e) {
            String now = String.valueOf(e.getMessage());
            if (!now.equals(trouble)) {
                LOG.warn("Replies cannot be read from {}: {}", partition, now);
            }
            trouble = now;
            pause();
        }
    }

    private void pause() {
        try {
            var unused = closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed.countDown();
        }
    }

    private void read(ConsumerRecord<byte[], byte[]> message) {
        ReplyEvent reply;
        try {
            reply = ReplyEventCodec.decode(message.value());
        } catch (InvalidEventException e) {
            counters.invalid.increment();
            LOG.debug("Passed over {} offset {}: {}", partition, message.offset(), e.getMessage());
            return;
        }
        try {
            listener.accept(reply);
        } catch (RuntimeException e) {
            // Memory that was freed under a load, say. Others wait for this thread too.
            LOG.error("A reply of {} offset {} could not be taken", partition, message.offset(), e);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        if (thread.getState() == Thread.State.NEW) {
            consumer.close();
            return;
        }
        consumer.wakeup();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
