package io.kvern.ingest;

import io.kvern.protocol.BlockEvent;
import io.kvern.protocol.BlockEventCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic from its beginning to where it ends now. */
final class LogReader {
    private LogReader() {}

    static List<ConsumerRecord<byte[], byte[]>> records(String bootstrap, String topic, int partitions) {
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap, "max.poll.records", "10000"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> all = IntStream.range(0, partitions)
                    .mapToObj(p -> new TopicPartition(topic, p))
                    .toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all, Duration.ofSeconds(20));
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("topic " + topic + " could not be read to its end");
                }
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
            return records;
        }
    }

    static BlockEvent event(ConsumerRecord<byte[], byte[]> entry) {
        return BlockEventCodec.decode(entry.key(), entry.value());
    }
}
