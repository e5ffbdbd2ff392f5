package io.kvern.bench.peer;

import io.kvern.ingest.PublisherConfig;
import io.kvern.protocol.Topics;
import io.kvern.streams.StoreNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka's own clients, with the settings of Kvern's. */
public final class PlainClients {
    private PlainClients() {}

    /** With the settings of Kvern's publisher, but for how long {@code send} may wait: a plain program just waits. */
    public static KafkaProducer<byte[], byte[]> producer(String bootstrap) {
        Map<String, Object> settings = new HashMap<>(
                PublisherConfig.of(bootstrap, "any", Topics.DEFAULT_PARTITIONS).producerSettings());
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "60000");
        settings.put(ProducerConfig.CLIENT_ID_CONFIG, "bench-plain");
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** With the settings of the node's consumers. */
    public static KafkaConsumer<byte[], byte[]> consumer(String bootstrap) {
        Map<String, Object> settings = new HashMap<>(StoreNode.consumerSettings(Map.of()));
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Assigns every partition of the topic. */
    public static List<TopicPartition> assignAll(KafkaConsumer<byte[], byte[]> consumer, String topic) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(partitions);
        return partitions;
    }
}
