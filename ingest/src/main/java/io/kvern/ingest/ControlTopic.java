package io.kvern.ingest;

import io.kvern.protocol.ClusterLayout;
import io.kvern.protocol.ClusterLayoutCodec;
import io.kvern.protocol.InvalidEventException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** The pinned layout in {@code kvern.control}: written once, read to the topic's end each time. */
final class ControlTopic {
    private static final byte[] KEY = ClusterLayoutCodec.key();

    private final AdminConfig config;
    private final TopicPartition partition;

    ControlTopic(AdminConfig config) {
        this.config = config;
        this.partition = new TopicPartition(config.topics().control(), 0);
    }

    /** Null where none is pinned yet. */
    @Nullable
    ClusterLayout read(Deadline deadline) {
        String what = "read topic " + partition.topic();
        Map<String, Object> settings = config.client(deadline.left());
        settings.put("enable.auto.commit", "false");
        settings.put("auto.offset.reset", "earliest");
        settings.put("allow.auto.create.topics", "false");
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> only = List.of(partition);
            consumer.assign(only);
            consumer.seekToBeginning(only);
            long end = consumer.endOffsets(only, deadline.left()).getOrDefault(partition, 0L);
            byte[] last = null;
            while (consumer.position(partition, deadline.left()) < end) {
                if (deadline.passed()) {
                    throw deadline.tooLate(what, new TimeoutException("offset " + end + " not reached"));
                }
                for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(deadline.left())) {
                    if (Arrays.equals(entry.key(), KEY)) {
                        last = entry.value();
                    }
                }
            }
            return last == null ? null : ClusterLayoutCodec.decode(last);
        } catch (InvalidEventException e) {
            throw new AdminException(
                    "the cluster layout in topic %s cannot be read: %s".formatted(partition.topic(), e.getMessage()),
                    e);
        } catch (TimeoutException e) {
            throw deadline.tooLate(what, e);
        } catch (KafkaException e) {
            throw new AdminException("cannot " + what + ": " + e.getMessage(), e);
        }
    }

    void write(ClusterLayout layout, Deadline deadline) {
        Map<String, Object> settings = config.client(deadline.left());
        settings.remove("default.api.timeout.ms");
        settings.put("acks", "all");
        settings.put("linger.ms", "0");
        settings.put("delivery.timeout.ms", settings.get("request.timeout.ms"));
        settings.put("max.block.ms", settings.get("request.timeout.ms"));
        try (var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            deadline.awaitOrFail(
                    producer.send(new ProducerRecord<>(
                            partition.topic(), partition.partition(), KEY, ClusterLayoutCodec.encode(layout))),
                    "pin the cluster layout in topic " + partition.topic());
        }
    }
}
