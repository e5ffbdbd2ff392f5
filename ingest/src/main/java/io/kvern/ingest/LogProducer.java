package io.kvern.ingest;

import io.kvern.model.InvalidInputException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Kafka producer, and a second one in its place where the topic takes no batch of full size.
 *
 * <p>When a broker finds a batch of several records too large, Kafka's producer cuts it into pieces of {@code batch.size} at
 * most. That leaves an uncompressed batch as it was, which is sent again, refused again, and so on until its delivery
 * timeout, with every other record of the partition behind it; nobody is told. So the count of such cuts is watched. At the
 * first the producer is replaced by one that sends each chunk alone: then the broker either takes it, or refuses it with an
 * error that names the limit. (A compressed batch does get smaller when cut, and is left to Kafka.)
 */
final class LogProducer {
    private static final Logger LOG = LoggerFactory.getLogger(LogProducer.class);

    /** Kafka's default: any chunk of more than this is a batch of its own. */
    private static final String NARROW_BATCH_BYTES = "16384";

    /** Client ids are unique in a JVM: Kafka's metrics are registered under them. */
    private static final AtomicInteger CLIENTS = new AtomicInteger();

    private final PublisherConfig config;
    private volatile Producer<byte[], byte[]> producer;
    private volatile boolean narrow;
    private boolean closed;

    /** @throws InvalidInputException if Kafka refuses a setting, or no name of the brokers can be resolved */
    LogProducer(PublisherConfig config) {
        this.config = config;
        this.producer = connect(config.producerSettings());
    }

    private Producer<byte[], byte[]> connect(Map<String, Object> settings) {
        settings.putIfAbsent("client.id", "kvern-publisher-" + CLIENTS.incrementAndGet());
        try {
            return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        } catch (KafkaException e) {
            Throwable told = e.getCause() == null ? e : e.getCause();
            throw new InvalidInputException(
                    "no producer for the brokers at %s: %s".formatted(config.bootstrapServers(), told.getMessage()), e);
        }
    }

    /** Another number once the producer has been replaced. */
    int generation() {
        return narrow ? 1 : 0;
    }

    /** May wait {@code max.block.ms} for the metadata. */
    int partitions() {
        return onCurrent(current -> current.partitionsFor(config.topic())).size();
    }

    /** May wait {@code max.block.ms} for metadata or room. */
    void send(ProducerRecord<byte[], byte[]> message, Callback callback) {
        var unused = onCurrent(current -> current.send(message, callback));
    }

    /** Once more on the next producer where this one was replaced in that very moment. */
    private <T> T onCurrent(Function<Producer<byte[], byte[]>, T> call) {
        Producer<byte[], byte[]> used = producer;
        try {
            return call.apply(used);
        } catch (KafkaException | IllegalStateException e) {
            if (used == producer) {
                throw e;
            }
            return call.apply(producer);
        }
    }

    /**
     * To be called now and then, by one thread: replaces the producer where batches go round.
     *
     * @param lost is told why, once the new producer is in place and before what the one replaced still holds is thrown away
     */
    synchronized void replaceIfBatchesGoRound(Consumer<String> lost) {
        Map<String, Object> settings = config.producerSettings();
        if (closed || narrow || !"none".equals(settings.get("compression.type")) || cuts() == 0) {
            return;
        }
        String reason =
                ("topic %s refuses batches as too large: its max.message.bytes (or message.max.bytes of the broker) is"
                                + " below the producer's batch.size of %s")
                        .formatted(config.topic(), settings.get("batch.size"));
        LOG.warn("{}; from now on each chunk is sent alone, which is slower", reason);
        settings.put("batch.size", NARROW_BATCH_BYTES);
        Producer<byte[], byte[]> replaced = producer;
        producer = connect(settings);
        narrow = true; // after it, so that nobody takes the old one for the new generation
        lost.accept(reason);
        replaced.close(Duration.ZERO);
    }

    private double cuts() {
        for (Metric metric : producer.metrics().values()) {
            if (metric.metricName().name().equals("batch-split-total")
                    && metric.metricValue() instanceof Double count) {
                return count;
            }
        }
        return 0;
    }

    synchronized void close(Duration patience) {
        closed = true;
        producer.close(patience);
    }
}
