package io.kvern.streams;

import io.kvern.protocol.LoadAnswer;
import io.kvern.protocol.ReplyEvent;
import io.kvern.protocol.ReplyEventCodec;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.streams.errors.DefaultProductionExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes on where Kafka does not take a reply: its requester has a deadline, and the blocks behind it have to be applied. For
 * any other topic Kafka Streams' own rule holds.
 *
 * <p>Made by Kafka Streams, which hands it the node's configuration.
 */
public final class ReplyLossHandler extends DefaultProductionExceptionHandler {
    /** Configuration key under which the node passes the topic's name. */
    static final String TOPIC = "kvern.replies.topic";

    /** Configuration key under which the node passes its counters. */
    static final String COUNTERS = "kvern.replies.counters";

    private static final Logger LOG = LoggerFactory.getLogger(ReplyLossHandler.class);

    private String topic = "";
    private LoadCounters counters = new LoadCounters();

    @Override
    public void configure(Map<String, ?> configs) {
        super.configure(configs);
        topic = String.valueOf(configs.get(TOPIC));
        if (configs.get(COUNTERS) instanceof LoadCounters shared) {
            counters = shared;
        }
    }

    @Override
    public Response handleError(
            ErrorHandlerContext context, ProducerRecord<byte[], byte[]> message, Exception failure) {
        if (!message.topic().equals(topic)) {
            return super.handleError(context, message, failure);
        }
        counters.repliesLost.increment();
        LOG.debug("A reply to {}-{} was lost", topic, message.partition(), failure);
        return failure instanceof RecordTooLargeException ? Response.resume(refusal(message)) : Response.resume();
    }

    /** What has not come for its size never will: the requester is told at once, instead of at its deadline. */
    private List<ProducerRecord<byte[], byte[]>> refusal(ProducerRecord<byte[], byte[]> message) {
        if (!(ReplyEventCodec.decode(message.value()) instanceof ReplyEvent.Chunk chunk)) {
            return List.of();
        }
        String why =
                "topic %s takes no record of %d bytes (its max.message.bytes)".formatted(topic, message.value().length);
        ReplyEvent.Status refused = new ReplyEvent.Status(chunk.requestId(), chunk.key(), LoadAnswer.REFUSED, why);
        return List.of(
                new ProducerRecord<>(topic, message.partition(), message.key(), ReplyEventCodec.encodeStatus(refused)));
    }
}
