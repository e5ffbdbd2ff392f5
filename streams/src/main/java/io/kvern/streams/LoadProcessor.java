package io.kvern.streams;

import io.kvern.protocol.LoadRequestCodec;
import io.kvern.protocol.LoadRequestEvent;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Answers the requests of one partition, which this node owns while the processor lives. Offsets of blocks are none of its business. */
final class LoadProcessor implements Processor<byte[], byte[], byte[], Reply> {
    private final LoadAnswerer answerer;
    private final int replyPartitions;
    private final LoadCounters counters;
    private @Nullable ProcessorContext<byte[], Reply> context;

    LoadProcessor(LoadAnswerer answerer, int replyPartitions, LoadCounters counters) {
        this.answerer = answerer;
        this.replyPartitions = replyPartitions;
        this.counters = counters;
    }

    @Override
    public void init(ProcessorContext<byte[], Reply> processorContext) {
        context = processorContext;
    }

    /** @throws io.kvern.protocol.InvalidEventException if the record can be no request; it goes to the dead letters */
    @Override
    public void process(Record<byte[], byte[]> event) {
        ProcessorContext<byte[], Reply> out = context;
        if (out == null) {
            throw new IllegalStateException("the processor is not initialised");
        }
        LoadRequestEvent request = LoadRequestCodec.decode(event.value());
        int partition = request.replyPartition();
        if (partition >= replyPartitions) {
            counters.dropped.increment();
            return;
        }
        byte[] worker = request.worker().getBytes(StandardCharsets.UTF_8);
        answerer.answer(
                request,
                out.taskId().partition(),
                reply -> out.forward(new Record<>(worker, new Reply(partition, reply), System.currentTimeMillis())));
    }
}
