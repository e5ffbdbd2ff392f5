package io.kvern.streams;

import io.kvern.ingest.BlockPublisher;
import io.kvern.model.BlockKey;
import io.kvern.store.BlockStore;
import io.kvern.store.BlockStores;
import io.kvern.store.StoreFailedException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store node: the block store, the topology that feeds it, and what the node knows of how current it is. The store is
 * opened before Kafka Streams and closed after it, with a sync.
 *
 * <p>A failure of the store or of Kafka fails tasks, never the node: what is stored goes on being served, and the records
 * come again.
 */
public final class StoreNode implements NodeView, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreNode.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration THREAD_RESTART_PAUSE = Duration.ofSeconds(1);

    private final NodeConfig config;
    private final BlockStore store;
    private final BlockPublisher publisher;
    private final AttachedPartitions partitions;
    private final LogWatch watch;
    private final KafkaStreams streams;
    private final RestoreProgress restores = new RestoreProgress();
    private final LoadCounters loads = new LoadCounters();
    private final AtomicLong deadLetters = new AtomicLong();
    private final AtomicLong skippedInRestore = new AtomicLong();
    private final AtomicLong threadFailures = new AtomicLong();
    private final AtomicReference<@Nullable String> lastFailure = new AtomicReference<>();
    private final CountDownLatch closing = new CountDownLatch(1);

    private StoreNode(NodeConfig config, BlockStore store, BlockPublisher publisher) {
        this.config = config;
        this.store = store;
        this.publisher = publisher;
        this.partitions = new AttachedPartitions(config.log(), store);
        this.watch = new LogWatch(admin(config), config.applicationId(), config.log(), partitions, config.silence());
        this.streams = new KafkaStreams(
                BlockTopology.build(
                        config.log(),
                        config.lane(),
                        new LoadAnswerer(
                                store, this::certainty, config.log()::partitionOf, loads, System::currentTimeMillis),
                        loads,
                        partitions,
                        restores,
                        skippedInRestore),
                StreamsProperties.of(config, deadLetters, loads));
        streams.setUncaughtExceptionHandler(this::onThreadFailure);
        streams.setGlobalStateRestoreListener(restores);
    }

    /**
     * Opens the store, then starts to follow the log.
     *
     * @throws io.kvern.model.InvalidInputException if the store is in use, cannot be, or belongs to another log
     * @param publisher for writes through the node's doors; the caller keeps it and closes it after the node
     */
    public static StoreNode start(NodeConfig config, BlockPublisher publisher) {
        BlockStore store = BlockStores.open(config.store());
        StoreNode node;
        try {
            // A store that belongs to another log says so now; inside of Kafka Streams it would say so for ever.
            store.attach(config.log().partition(0)).close();
            node = new StoreNode(config, store, publisher);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
        try {
            node.watch.start();
            node.streams.start();
            return node;
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    /**
     * The settings that a node's consumers run with, to be checked against topics and brokers.
     *
     * @param kafka what is configured for all Kafka clients
     */
    public static Map<String, Object> consumerSettings(Map<String, String> kafka) {
        return StreamsProperties.consumer(kafka);
    }

    private static Admin admin(NodeConfig config) {
        Map<String, Object> properties = new HashMap<>(config.kafka());
        properties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
        properties.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, (int)
                config.silence().toMillis());
        properties.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, (int)
                config.silence().toMillis());
        return Admin.create(properties);
    }

    /** Tasks fail so that their records come again; a pause keeps a broken disk from being hammered. */
    private StreamThreadExceptionResponse onThreadFailure(Throwable failure) {
        if (LogLostException.isIn(failure)) {
            LOG.warn("A stream thread is replaced, and the log read again from its start: {}", String.valueOf(failure));
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        }
        threadFailures.incrementAndGet();
        lastFailure.set(failure.toString());
        LOG.error(
                "A stream thread of the node failed ({}); it is replaced, and its records come again",
                failure instanceof StoreFailedException ? "store" : "streams",
                failure);
        try {
            if (closing.await(THREAD_RESTART_PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    @Override
    public BlockStore store() {
        return store;
    }

    @Override
    public BlockPublisher publisher() {
        return publisher;
    }

    @Override
    public int partitionOf(BlockKey key) {
        return config.log().partitionOf(key);
    }

    @Override
    public Certainty certainty(BlockKey key) {
        AttachedPartition partition = partitions.get(partitionOf(key));
        if (partition == null) {
            return Certainty.ELSEWHERE;
        }
        return current(partition) ? Certainty.CURRENT : Certainty.UNSURE;
    }

    private boolean current(AttachedPartition partition) {
        return partition.active() && partition.caughtUp() && watch.inContact() && partition.moving(config.silence());
    }

    @Override
    public Certainty awaitCurrent(BlockKey key, Duration patience) throws InterruptedException {
        AttachedPartition partition = partitions.get(partitionOf(key));
        if (partition == null) {
            return Certainty.ELSEWHERE;
        }
        partition.await(() -> current(partition), System.nanoTime() + patience.toNanos());
        return certainty(key);
    }

    @Override
    public boolean awaitApplied(int number, long offset, Duration patience) throws InterruptedException {
        AttachedPartition partition = partitions.get(number);
        return partition != null
                && partition.await(() -> partition.applied(offset), System.nanoTime() + patience.toNanos());
    }

    /** Whether every partition attached here is current: nothing is being restored or taken over. */
    public boolean ready() {
        return streams.state() == KafkaStreams.State.RUNNING
                && watch.inContact()
                && partitions.all().stream().allMatch(partition -> !partition.active() || partition.caughtUp());
    }

    /** What Kafka Streams is at, in a word. */
    public String state() {
        return streams.state().name();
    }

    /** Partitions that this node owns. */
    public int owned() {
        return (int) partitions.all().stream().filter(AttachedPartition::active).count();
    }

    /**
     * Waits until the node owns {@code partitionCount} partitions at least and is {@link #ready()}.
     *
     * @return whether it came to that within {@code patience}
     */
    public boolean awaitReady(int partitionCount, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (owned() < partitionCount || !ready()) {
            if (System.nanoTime() >= deadline || closing.await(20, TimeUnit.MILLISECONDS)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Waits until the node has applied what its partitions' logs hold at the time of this call.
     *
     * @return whether it came to that within {@code patience}
     */
    public boolean awaitLogEnd(Duration patience) throws InterruptedException {
        long asked = System.nanoTime();
        long deadline = asked + patience.toNanos();
        watch.ask();
        for (AttachedPartition partition : partitions.all()) {
            if (!partition.await(() -> partition.endAskedSince(asked) >= 0, deadline)) {
                return false;
            }
            long end = partition.endAskedSince(asked);
            if (!partition.await(() -> partition.appliedUpTo(end), deadline)) {
                return false;
            }
        }
        return true;
    }

    /** What is being restored, for a person who waits. */
    public RestoreProgress.Snapshot restoring() {
        return restores.snapshot();
    }

    @Override
    public Map<String, String> status() {
        Map<String, String> status = new LinkedHashMap<>();
        status.put("state", streams.state().name());
        status.put("ready", Boolean.toString(ready()));
        status.put("kafka_contact", Boolean.toString(watch.inContact()));
        status.put("blocks_topic", config.log().topic());
        status.put("partitions", Integer.toString(config.log().partitions()));
        status.put("partitions_owned", Integer.toString(owned()));
        status.put("dead_letters", Long.toString(deadLetters.get()));
        status.put("invalid_in_restore", Long.toString(skippedInRestore.get()));
        status.put("thread_failures", Long.toString(threadFailures.get()));
        String failure = lastFailure.get();
        if (failure != null) {
            status.put("last_thread_failure", failure);
        }
        status.putAll(loads.lines());
        RestoreProgress.Snapshot progress = restores.snapshot();
        status.put("restoring_records", Long.toString(progress.remaining()));
        status.put("restored_records", Long.toString(progress.records()));
        status.put("restored_bytes", Long.toString(progress.bytes()));
        status.put("restore_micros", Long.toString(progress.micros()));
        for (AttachedPartition partition : partitions.all()) {
            status.put(
                    "partition_" + partition.partition(),
                    "role=%s,applied=%d,durable=%d,lag=%d,current=%s"
                            .formatted(
                                    partition.active() ? "owner" : "standby",
                                    partition.handle().applied(),
                                    partition.handle().resumeOffset(),
                                    partition.lag(),
                                    current(partition)));
        }
        return status;
    }

    /** Stops following the log, leaves the group, then closes the store with a sync. Bounded to about half a minute. */
    @Override
    public void close() {
        closing.countDown();
        boolean stopped = streams.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        if (!stopped) {
            LOG.warn(
                    "Kafka Streams did not stop within {} s; closing the store all the same",
                    CLOSE_TIMEOUT.toSeconds());
        }
        watch.close();
        store.close();
    }
}
