package io.kvern.bench.peer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Plain Kafka clients with the very settings of Kvern's own. The consumer takes the CRC-32C of each value, as the store does,
 * and throws the value away; the producer sends arrays that it has already, each with its CRC taken.
 */
final class KafkaPeer {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final long PATIENCE_NANOS = Duration.ofMinutes(4).toNanos();

    private final String bootstrap;

    KafkaPeer(String bootstrap) {
        this.bootstrap = bootstrap;
    }

    void consumeFromEnd(String topic, long bytes) {
        try (KafkaConsumer<byte[], byte[]> consumer = PlainClients.consumer(bootstrap)) {
            List<TopicPartition> partitions = PlainClients.assignAll(consumer, topic);
            consumer.seekToEnd(partitions);
            partitions.forEach(consumer::position);
            PeerMain.ready(0);
            discard(consumer, bytes, Map.of());
        }
    }

    void consumeAll(String topic) {
        try (KafkaConsumer<byte[], byte[]> consumer = PlainClients.consumer(bootstrap)) {
            List<TopicPartition> partitions = PlainClients.assignAll(consumer, topic);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            partitions.forEach(consumer::position);
            PeerMain.ready(0);
            discard(consumer, Long.MAX_VALUE, ends);
        }
    }

    /** Until so many bytes have come, or, where {@code ends} are given, all these offsets are reached. */
    private static void discard(KafkaConsumer<byte[], byte[]> consumer, long bytes, Map<TopicPartition, Long> ends) {
        CRC32C crc = new CRC32C();
        long start = 0;
        long seen = 0;
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (seen < bytes && (ends.isEmpty() || !reached(consumer, ends))) {
            if (deadline - System.nanoTime() < 0) {
                throw new IllegalStateException("only %d of %d bytes came in time".formatted(seen, bytes));
            }
            for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
                if (start == 0) {
                    start = System.nanoTime();
                }
                crc.reset();
                crc.update(message.value());
                seen += message.value().length;
            }
        }
        PeerMain.done(seen, System.nanoTime() - start);
    }

    private static boolean reached(KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    /** @param go returns when it may begin */
    void produce(String topic, int records, int bytes, Runnable go) {
        byte[][] values = new byte[16][bytes];
        Random random = new Random(7);
        for (byte[] value : values) {
            random.nextBytes(value);
        }
        try (KafkaProducer<byte[], byte[]> producer = PlainClients.producer(bootstrap)) {
            int partitions = producer.partitionsFor(topic).size();
            PeerMain.ready(0);
            go.run();
            long start = System.nanoTime();
            CRC32C crc = new CRC32C();
            for (int i = 0; i < records; i++) {
                byte[] value = values[i % values.length];
                crc.reset();
                crc.update(value);
                var _ = producer.send(new ProducerRecord<>(topic, i % partitions, null, value));
            }
            producer.flush();
            PeerMain.done((long) records * bytes, System.nanoTime() - start);
        }
    }
}
