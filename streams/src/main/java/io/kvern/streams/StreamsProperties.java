package io.kvern.streams;

import io.kvern.protocol.Topics;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.LogAndContinueExceptionHandler;

/** The settings of Kafka Streams for records of half a mebibyte; each one that is not obvious says why. */
final class StreamsProperties {
    /** How large fetches may be: for records of half a mebibyte, many at once. */
    private static final Map<String, Object> CONSUMER = Map.of(
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 16 << 20,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 8 << 20,
            CommonClientConfigs.RECEIVE_BUFFER_CONFIG, 4 << 20);

    /**
     * Replies of half a mebibyte, sent at once: somebody waits. A batch is one full chunk, so that its buffer comes from the
     * pool; with two, a topic that takes only one would have Kafka's producer send them round and round.
     */
    private static final Map<String, Object> PRODUCER = Map.of(
            ProducerConfig.BATCH_SIZE_CONFIG,
            Topics.CHUNK_PAYLOAD_BYTES + (8 << 10),
            ProducerConfig.LINGER_MS_CONFIG,
            0,
            ProducerConfig.COMPRESSION_TYPE_CONFIG,
            "none",
            // Blocks wait to be applied while a reply waits for room.
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            10_000,
            CommonClientConfigs.SEND_BUFFER_CONFIG,
            4 << 20);

    private StreamsProperties() {}

    /** What the consumers run with, as far as it is not Kafka's default. */
    static Map<String, Object> consumer(Map<String, String> kafka) {
        Map<String, Object> settings = new HashMap<>(CONSUMER);
        settings.putAll(kafka);
        return settings;
    }

    static Properties of(NodeConfig config, AtomicLong deadLetters, LoadCounters loads) {
        Properties p = new Properties();
        p.putAll(config.kafka());
        p.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
        p.put(StreamsConfig.APPLICATION_ID_CONFIG, config.applicationId());
        p.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDir().toString());
        p.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
        p.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.streamThreads());
        p.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, config.standbyReplicas());
        p.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, config.commitInterval().toMillis());
        p.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        // Counted in records: the default of 10,000 would promote a node that is 5 GiB behind.
        p.put(StreamsConfig.ACCEPTABLE_RECOVERY_LAG_CONFIG, 10);
        p.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, 60_000);
        // At rest nothing is fetched that is not there; short polls keep read-your-writes short.
        p.put(StreamsConfig.POLL_MS_CONFIG, 50);
        p.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 16);
        p.put(StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG, LogAndContinueExceptionHandler.class);
        p.put(StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG, DeadLetterHandler.class);
        p.put(DeadLetterHandler.TOPIC, config.log().deadLetters());
        p.put(DeadLetterHandler.COUNTER, deadLetters);
        p.put(DeadLetterHandler.LOADS, config.lane().loads());
        p.put(DeadLetterHandler.LOAD_COUNTERS, loads);
        p.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, ReplyLossHandler.class);
        p.put(ReplyLossHandler.TOPIC, config.lane().replies());
        p.put(ReplyLossHandler.COUNTERS, loads);
        // Neither source waits until the other one has something, or is known to have nothing.
        p.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, -1L);

        String main = StreamsConfig.MAIN_CONSUMER_PREFIX;
        p.put(main + ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 16);
        p.put(StreamsConfig.RESTORE_CONSUMER_PREFIX + ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 16);
        p.put(main + ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
        p.put(main + ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 1_000);
        CONSUMER.forEach((name, value) -> p.put(StreamsConfig.CONSUMER_PREFIX + name, value));
        PRODUCER.forEach((name, value) -> p.put(StreamsConfig.PRODUCER_PREFIX + name, value));
        // What was configured, for all clients or for one kind of them, wins over what is chosen here.
        config.kafka().forEach((name, value) -> {
            if (CONSUMER.containsKey(name)) {
                p.put(StreamsConfig.CONSUMER_PREFIX + name, value);
            }
            if (PRODUCER.containsKey(name)) {
                p.put(StreamsConfig.PRODUCER_PREFIX + name, value);
            }
            if (name.startsWith(main)
                    || name.startsWith(StreamsConfig.RESTORE_CONSUMER_PREFIX)
                    || name.startsWith(StreamsConfig.PRODUCER_PREFIX)) {
                p.put(name, value);
            }
        });
        // A dead letter is as large as the record that it was, which the source topic let in.
        p.put(StreamsConfig.PRODUCER_PREFIX + ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 64 << 20);
        return p;
    }
}
