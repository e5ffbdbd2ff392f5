package io.kvern.streams;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
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
        return Response.resume();
    }
}
