package io.kvern.streams;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what is being restored. Called by Kafka Streams in its threads; read by anyone. */
public final class RestoreProgress implements StateRestoreListener {
    private static final Logger LOG = LoggerFactory.getLogger(RestoreProgress.class);

    private final Map<TopicPartition, Long> remaining = new ConcurrentHashMap<>();
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    /** Of the first record restored; 0 before it. */
    private final AtomicLong firstNanos = new AtomicLong();

    private volatile long lastNanos;

    /**
     * Where restoring stands.
     *
     * @param partitions partitions being restored now
     * @param remaining records still to come for them, as their offsets tell
     * @param records restored since the node started
     * @param bytes of their values
     * @param micros from the first of them to the last, pauses in between included
     */
    public record Snapshot(int partitions, long remaining, long records, long bytes, long micros) {}

    /** A record of this many bytes was restored. */
    void restored(int valueBytes) {
        if (firstNanos.get() == 0) {
            firstNanos.compareAndSet(0, System.nanoTime());
        }
        records.incrementAndGet();
        bytes.addAndGet(valueBytes);
    }

    Snapshot snapshot() {
        Map<TopicPartition, Long> now = Map.copyOf(remaining);
        return new Snapshot(
                now.size(),
                now.values().stream().mapToLong(Long::longValue).sum(),
                records.get(),
                bytes.get(),
                elapsedMicros());
    }

    private long elapsedMicros() {
        long first = firstNanos.get();
        return first == 0 ? 0 : Math.max(0, TimeUnit.NANOSECONDS.toMicros(lastNanos - first));
    }

    @Override
    public void onRestoreStart(TopicPartition partition, String storeName, long startingOffset, long endingOffset) {
        remaining.put(partition, Math.max(0, endingOffset - startingOffset));
        LOG.info("Restoring {} from offset {} to {}", partition, startingOffset, endingOffset);
    }

    @Override
    public void onBatchRestored(TopicPartition partition, String storeName, long batchEndOffset, long numRestored) {
        lastNanos = System.nanoTime();
        remaining.computeIfPresent(partition, (name, left) -> Math.max(0, left - numRestored));
    }

    @Override
    public void onRestoreEnd(TopicPartition partition, String storeName, long totalRestored) {
        remaining.remove(partition);
        LOG.info("Restored {} records of {}", totalRestored, partition);
    }

    @Override
    public void onRestoreSuspended(TopicPartition partition, String storeName, long totalRestored) {
        remaining.remove(partition);
    }
}
