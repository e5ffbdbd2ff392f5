package io.kvern.worker.log;

import io.kvern.model.InvalidInputException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends requests from a thread of its own, since Kafka's producer may wait for its brokers, and no load waits beyond its deadline. */
final class RequestSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RequestSender.class);

    private final String topic;
    private final Producer<byte[], byte[]> producer;
    private final ExecutorService thread;

    /** @throws InvalidInputException if Kafka refuses a setting, or no name of the brokers can be resolved */
    RequestSender(LogLoaderConfig config) {
        topic = config.loads();
        try {
            producer = new KafkaProducer<>(config.producer(), new ByteArraySerializer(), new ByteArraySerializer());
        } catch (KafkaException e) {
            Throwable told = e.getCause() == null ? e : e.getCause();
            throw new InvalidInputException(
                    "no producer for the brokers at %s: %s".formatted(config.bootstrapServers(), told.getMessage()), e);
        }
        thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("kvern-log-loader-send").factory());
        // So that the first request need not wait for it.
        thread.execute(this::learn);
    }

    private void learn() {
        try {
            producer.partitionsFor(topic);
        } catch (KafkaException | IllegalStateException e) {
            LOG.debug("The brokers do not say where {} is yet", topic, e);
        }
    }

    /**
     * Sends soon.
     *
     * @param wanted asked before it is sent
     * @param failed told why it was not sent, in some thread
     */
    void send(int partition, byte[] key, byte[] value, BooleanSupplier wanted, Consumer<String> failed) {
        try {
            thread.execute(() -> {
                if (wanted.getAsBoolean()) {
                    sendNow(new ProducerRecord<>(topic, partition, key, value), failed);
                }
            });
        } catch (RejectedExecutionException e) {
            failed.accept("the loader was closed");
        }
    }

    private void sendNow(ProducerRecord<byte[], byte[]> message, Consumer<String> failed) {
        try {
            var unused = producer.send(message, (place, failure) -> {
                if (failure != null) {
                    failed.accept(String.valueOf(failure.getMessage()));
                }
            });
        } catch (KafkaException | IllegalStateException e) {
            failed.accept(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        producer.close(Duration.ofSeconds(1));
    }
}
