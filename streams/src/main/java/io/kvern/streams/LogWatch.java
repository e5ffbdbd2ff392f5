package io.kvern.streams;

import io.kvern.model.KvernException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Kafka, each second and after each attachment, where the attached partitions begin and end. The answers tell two
 * things: how far the node is behind, and when it last heard from Kafka at all.
 */
final class LogWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogWatch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final Admin admin;
    private final String group;
    private final BlocksLog log;
    private final AttachedPartitions partitions;
    private final Duration silence;
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread;
    private volatile boolean running = true;
    private volatile long lastHeardNanos;
    private volatile boolean everHeard;
    private boolean lost; // of the watch's thread

    LogWatch(Admin admin, String group, BlocksLog log, AttachedPartitions partitions, Duration silence) {
        this.group = group;
        this.admin = admin;
        this.log = log;
        this.partitions = partitions;
        this.silence = silence;
        this.thread = Thread.ofPlatform().daemon().name("kvern-log-watch").unstarted(this::watch);
        partitions.follow(this::ask, this::boundsOf);
    }

    void start() {
        thread.start();
    }

    /** Whether Kafka answered within the configured silence. */
    boolean inContact() {
        return everHeard && System.nanoTime() - lastHeardNanos <= silence.toNanos();
    }

    private void watch() {
        while (running) {
            try {
                probe();
                boolean asked = wake.tryAcquire(INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
                if (asked) {
                    wake.drainPermits();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void probe() throws InterruptedException {
        List<AttachedPartition> attached = partitions.all();
        long asked = System.nanoTime();
        long[] applied = attached.stream()
                .mapToLong(partition -> partition.handle().applied())
                .toArray();
        try {
            var askedStarts = ask(attached, OffsetSpec.earliest());
            var askedEnds = ask(attached, OffsetSpec.latest());
            Map<TopicPartition, ListOffsetsResultInfo> starts = answer(askedStarts);
            Map<TopicPartition, ListOffsetsResultInfo> ends = answer(askedEnds);
            for (int i = 0; i < applied.length; i++) {
                AttachedPartition partition = attached.get(i);
                TopicPartition name = new TopicPartition(log.topic(), partition.partition());
                ListOffsetsResultInfo start = starts.get(name);
                ListOffsetsResultInfo end = ends.get(name);
                if (start != null && end != null) {
                    partition.logIs(new LogBounds(start.offset(), end.offset()), asked, applied[i]);
                }
            }
            askGroup(attached);
            lastHeardNanos = asked;
            everHeard = true;
            if (lost) {
                lost = false;
                LOG.info("Kafka answers again");
            }
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            LOG.debug("Kafka did not answer where {} ends", log.topic(), e);
            if (!lost && !inContact()) {
                lost = true;
                LOG.warn(
                        "Kafka has not answered for {} ms (setting node.silence); until it does, only blocks that"
                                + " cannot be stale are served",
                        silence.toMillis());
            }
        }
    }

    /**
     * Asks what the log has of a partition now.
     *
     * @throws KvernException if Kafka does not answer within the configured silence
     */
    LogBounds boundsOf(int partition) {
        TopicPartition name = new TopicPartition(log.topic(), partition);
        try {
            var start = admin.listOffsets(Map.of(name, OffsetSpec.earliest())).partitionResult(name);
            var end = admin.listOffsets(Map.of(name, OffsetSpec.latest())).partitionResult(name);
            return new LogBounds(
                    start.get(silence.toMillis(), TimeUnit.MILLISECONDS).offset(),
                    end.get(silence.toMillis(), TimeUnit.MILLISECONDS).offset());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KvernException("interrupted while asking what the log has of %s".formatted(name), e);
        } catch (ExecutionException | TimeoutException e) {
            throw new KvernException(
                    "Kafka did not say within %d ms what it has of %s (setting node.silence)"
                            .formatted(silence.toMillis(), name),
                    e);
        }
    }

    /** Only where an owned partition stands still before its end: the reason may be that nothing is to come. */
    private void askGroup(List<AttachedPartition> attached)
            throws InterruptedException, ExecutionException, TimeoutException {
        List<AttachedPartition> standing = attached.stream()
                .filter(partition -> partition.active() && partition.lag() > 0 && !partition.moving(INTERVAL))
                .toList();
        if (standing.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> offsets = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get(silence.toMillis(), TimeUnit.MILLISECONDS);
        for (AttachedPartition partition : standing) {
            OffsetAndMetadata offset = offsets.get(new TopicPartition(log.topic(), partition.partition()));
            if (offset != null) {
                partition.groupIsAt(offset.offset());
            }
        }
    }

    /** Asks soon instead of at the next turn. */
    void ask() {
        wake.release();
    }

    private KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> ask(
            List<AttachedPartition> attached, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> question = new HashMap<>();
        // A node without partitions asks about the first one, only to know whether Kafka is there.
        question.put(new TopicPartition(log.topic(), 0), spec);
        attached.forEach(partition -> question.put(new TopicPartition(log.topic(), partition.partition()), spec));
        return admin.listOffsets(question).all();
    }

    private Map<TopicPartition, ListOffsetsResultInfo> answer(
            KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> asked)
            throws InterruptedException, ExecutionException, TimeoutException {
        return asked.get(silence.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        running = false;
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        admin.close(Duration.ofSeconds(2));
    }
}
