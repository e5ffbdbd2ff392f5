package io.kvern.ingest;

import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Kafka's errors in words that say which setting or which command mends them. */
final class FailureReason {
    private final PublisherConfig config;

    FailureReason(PublisherConfig config) {
        this.config = config;
    }

    String of(Throwable error) {
        return switch (error) {
            case RecordTooLargeException e ->
                ("a chunk with %d bytes of payload is too large: Kafka says '%s' (settings max.message.bytes of topic"
                    + " %s, message.max.bytes of the broker, max.request.size and buffer.memory of the producer)")
                        .formatted(config.chunkPayloadBytes(), e.getMessage(), config.topic());
            case RecordBatchTooLargeException e ->
                "a batch is larger than a segment: Kafka says '%s' (setting segment.bytes of topic %s)"
                        .formatted(e.getMessage(), config.topic());
            case UnknownTopicOrPartitionException e -> missingTopic();
            case BufferExhaustedException e ->
                "the producer's buffer is full of records that the brokers at %s do not take (setting buffer.memory)"
                        .formatted(config.bootstrapServers());
            case TimeoutException e when e.getCause() instanceof UnknownTopicOrPartitionException -> missingTopic();
            case TimeoutException e ->
                "the brokers at %s do not answer: Kafka says '%s'".formatted(config.bootstrapServers(), e.getMessage());
            case NotEnoughReplicasException e ->
                "too few replicas of topic %s are in sync (setting min.insync.replicas)".formatted(config.topic());
            case AuthorizationException e ->
                "the brokers at %s do not allow it: %s".formatted(config.bootstrapServers(), e.getMessage());
            case AuthenticationException e ->
                "the brokers at %s do not know this client: %s".formatted(config.bootstrapServers(), e.getMessage());
            default -> "Kafka refused it: " + error;
        };
    }

    String wrongPartitions(int found) {
        return "topic %s has %d partitions; the cluster layout pins %d, and blocks would go astray"
                .formatted(config.topic(), found, config.partitions());
    }

    /** What is said where Kafka has said nothing yet. */
    String silence() {
        return "the brokers at %s have not answered".formatted(config.bootstrapServers());
    }

    String tooLate(int acknowledged, int records, String why) {
        return "%d of %d records acknowledged within %d ms (setting publish.delivery.timeout): %s"
                .formatted(acknowledged, records, config.deliveryTimeout().toMillis(), why);
    }

    private String missingTopic() {
        return "topic %s does not exist on the brokers at %s; 'kvern topics create' makes it"
                .formatted(config.topic(), config.bootstrapServers());
    }
}
