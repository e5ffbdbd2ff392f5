package io.kvern.streams;

import io.kvern.protocol.InvalidEventException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProcessingExceptionHandler;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records that can never be valid to the dead letters, as they came (cut, if huge) and with the reason, and goes on behind them.
 * Anything else is the node's own trouble: the task fails, and the record comes again.
 *
 * <p>Made by Kafka Streams, which hands it the node's configuration.
 */
public final class DeadLetterHandler implements ProcessingExceptionHandler {
    /** Configuration key under which the node passes the topic's name. */
    static final String TOPIC = "kvern.dead.letters.topic";

    /** Configuration key under which the node passes its counter. */
    static final String COUNTER = "kvern.dead.letters.counter";

    /** Configuration keys under which the node passes the loads topic and its counters. */
    static final String LOADS = "kvern.loads.topic";

    static final String LOAD_COUNTERS = "kvern.loads.counters";

    /** Beside key and headers it fits the topic's limit of two batches of 1 MiB. */
    private static final int MAX_VALUE_BYTES = 3 << 19;

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterHandler.class);

    private String topic = "";
    private AtomicLong counter = new AtomicLong();
    private String loads = "";
    private LoadCounters loadCounters = new LoadCounters();

    @Override
    public void configure(Map<String, ?> configs) {
        topic = String.valueOf(configs.get(TOPIC));
        if (configs.get(COUNTER) instanceof AtomicLong shared) {
            counter = shared;
        }
        loads = String.valueOf(configs.get(LOADS));
        if (configs.get(LOAD_COUNTERS) instanceof LoadCounters shared) {
            loadCounters = shared;
        }
    }

    @Override
    public Response handleError(ErrorHandlerContext context, @Nullable Record<?, ?> event, Exception failure) {
        InvalidEventException reason = invalidEvent(failure);
        if (reason == null
                && failure instanceof TimeoutException
                && context.topic().equals(loads)) {
            // Kafka does not say where replies go. The requester has a deadline; the blocks behind have none.
            loadCounters.dropped.increment();
            return Response.resume();
        }
        if (reason == null) {
            return Response.fail();
        }
        counter.incrementAndGet();
        LOG.warn(
                "Dead letter: {}-{} offset {}: {}",
                context.topic(),
                context.partition(),
                context.offset(),
                reason.getMessage());
        byte[] value = context.sourceRawValue();
        // Compressed, a record may have been far larger than what a topic takes; it must not stop what comes behind it.
        boolean cut = value != null && value.length > MAX_VALUE_BYTES;
        ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(
                topic, null, context.sourceRawKey(), cut ? Arrays.copyOf(value, MAX_VALUE_BYTES) : value);
        Headers headers = letter.headers();
        if (cut) {
            add(headers, "kvern.cut.from.bytes", Integer.toString(value.length));
        }
        add(headers, "kvern.reason", String.valueOf(reason.getMessage()));
        add(headers, "kvern.topic", context.topic());
        add(headers, "kvern.partition", Integer.toString(context.partition()));
        add(headers, "kvern.offset", Long.toString(context.offset()));
        return Response.resume(List.of(letter));
    }

    private static void add(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable InvalidEventException invalidEvent(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidEventException invalid) {
                return invalid;
            }
        }
        return null;
    }
}
