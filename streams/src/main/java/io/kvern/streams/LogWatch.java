package io.kvern.streams;

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
    private final BlocksLog log;
    private final AttachedPartitions partitions;
    private final Duration silence;
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread;
    private volatile boolean running = true;
    private volatile long lastHeardNanos;
    private volatile boolean everHeard;

    LogWatch(Admin admin, BlocksLog log, AttachedPartitions partitions, Duration silence) {
        this.admin = admin;
        this.log = log;
        this.partitions = partitions;
        this.silence = silence;
        this.thread = Thread.ofPlatform().daemon().name("kvern-log-watch").unstarted(this::watch);
        partitions.onNews(wake::release);
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
        if (attached.isEmpty()) {
            return;
        }
        long asked = System.nanoTime();
        try {
            Map<TopicPartition, ListOffsetsResultInfo> starts = ask(attached, OffsetSpec.earliest());
            Map<TopicPartition, ListOffsetsResultInfo> ends = ask(attached, OffsetSpec.latest());
            for (AttachedPartition partition : attached) {
                TopicPartition name = new TopicPartition(log.topic(), partition.partition());
                ListOffsetsResultInfo start = starts.get(name);
                ListOffsetsResultInfo end = ends.get(name);
                if (start != null && end != null) {
                    partition.logIs(start.offset(), end.offset());
                }
            }
            lastHeardNanos = asked;
            everHeard = true;
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("Kafka did not answer where {} ends", log.topic(), e);
        }
    }

    private Map<TopicPartition, ListOffsetsResultInfo> ask(List<AttachedPartition> attached, OffsetSpec spec)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<TopicPartition, OffsetSpec> question = new HashMap<>();
        attached.forEach(partition -> question.put(new TopicPartition(log.topic(), partition.partition()), spec));
        return admin.listOffsets(question).all().get(silence.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() throws InterruptedException {
        running = false;
        thread.interrupt();
        thread.join(Duration.ofSeconds(5));
        admin.close(Duration.ofSeconds(2));
    }
}
