package io.kvern.streams;

import io.kvern.store.PartitionHandle;
import java.time.Duration;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Applies live records. It lives exactly as long as this node owns the partition, and says so to it. */
final class BlockProcessor implements Processor<byte[], byte[], Void, Void> {
    private static final Duration LOOK = Duration.ofSeconds(1);

    private @Nullable ProcessorContext<Void, Void> context;
    private @Nullable BlockStateStore store;
    private @Nullable AttachedPartition partition;

    /** Of the record that came last. */
    private long newest = -1;

    @Override
    public void init(ProcessorContext<Void, Void> processorContext) {
        context = processorContext;
        BlockStateStore own = processorContext.getStateStore(BlockStateStore.NAME);
        store = own;
        partition = own.partition();
        partition.setActive(true);
        newest = -1;
        // Also where no record comes.
        processorContext.schedule(LOOK, PunctuationType.WALL_CLOCK_TIME, now -> own.refuseLostLog());
    }

    @Override
    public void process(Record<byte[], byte[]> event) {
        if (context == null || store == null || partition == null) {
            throw new IllegalStateException("the processor is not initialised");
        }
        RecordMetadata at = context.recordMetadata()
                .orElseThrow(() -> new IllegalStateException("a record of the log has no place in it"));
        long applied = partition.handle().applied();
        if (at.offset() <= newest
                || (applied != PartitionHandle.NONE && at.offset() > applied + 1 && !store.logContinues(applied))) {
            // A consumer leaves its place, forwards or back, where the log has nothing there any more.
            partition.logBroke();
        }
        newest = at.offset();
        store.refuseLostLog();
        BlockApplier.apply(partition, event.key(), event.value(), at.offset(), event.timestamp());
    }

    @Override
    public void close() {
        if (partition != null) {
            partition.setActive(false);
        }
    }
}
