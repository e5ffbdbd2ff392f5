package io.kvern.ingest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The topics in words: their shape, and what the warm-up window is worth and costs. */
final class TopicReport {
    private TopicReport() {}

    static List<String> lines(AdminConfig config, Map<String, TopicFacts> topics, List<BrokerFacts> brokers) {
        List<String> lines = new ArrayList<>();
        lines.add("brokers at %s: %d".formatted(config.bootstrapServers(), brokers.size()));
        for (TopicFacts topic : new TreeMap<>(topics).values()) {
            lines.add("topic %s: %d partitions, replication %d, cleanup.policy %s, id %s"
                    .formatted(
                            topic.name(),
                            topic.partitions(),
                            topic.replication(),
                            topic.text("cleanup.policy"),
                            topic.id()));
        }
        TopicFacts blocks = topics.get(config.topics().blocks());
        if (blocks != null) {
            window(blocks, brokers, lines);
        }
        return lines;
    }

    private static void window(TopicFacts blocks, List<BrokerFacts> brokers, List<String> lines) {
        long retention = blocks.number("retention.bytes", -1);
        long held = brokers.stream().mapToLong(BrokerFacts::blocksBytes).sum();
        if (retention < 0) {
            lines.add(
                    "warm-up window: without limit (retention.bytes is -1); the log holds %s on the brokers' disks now"
                            .formatted(Bytes.text(held)));
            return;
        }
        long window = retention * blocks.partitions();
        lines.add(
                "warm-up window: the last %s of blocks (%d partitions x retention.bytes %s); a node that starts cold gets these back"
                        .formatted(Bytes.text(window), blocks.partitions(), Bytes.text(retention)));
        lines.add("cost: up to %s of broker disk (x replication %d), and one segment of %s per replica; %s taken now"
                .formatted(
                        Bytes.text(window * blocks.replication()),
                        blocks.replication(),
                        Bytes.text(blocks.number("segment.bytes", 1 << 30)),
                        Bytes.text(held)));
        for (BrokerFacts broker : brokers) {
            long share = retention * blocks.replicasByBroker().getOrDefault(broker.id(), 0);
            lines.add(
                    broker.freeBytes().isPresent() && broker.diskBytes().isPresent()
                            ? "broker %d: its share is %s, %s taken now; %s of %s disk are free"
                                    .formatted(
                                            broker.id(),
                                            Bytes.text(share),
                                            Bytes.text(broker.blocksBytes()),
                                            Bytes.text(broker.freeBytes().getAsLong()),
                                            Bytes.text(broker.diskBytes().getAsLong()))
                            : "broker %d: its share is %s; it does not say how much disk it has"
                                    .formatted(broker.id(), Bytes.text(share)));
        }
    }
}
