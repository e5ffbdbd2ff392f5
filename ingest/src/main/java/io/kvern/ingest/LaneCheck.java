package io.kvern.ingest;

import io.kvern.model.BlockKey;
import io.kvern.protocol.LoadRequestCodec;
import io.kvern.protocol.LoadRequestEvent;
import io.kvern.protocol.ReplyEventCodec;
import io.kvern.protocol.Topics;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of {@link SettingsCheck} that is about the topics of the log lane. */
final class LaneCheck {
    private LaneCheck() {}

    /** @param topics by name; those that do not exist are absent */
    static void run(SettingsCheck check, Topics names, Map<String, TopicFacts> topics) {
        TopicFacts loads = check.present(topics, names.loads());
        if (loads != null) {
            loads(check, loads, topics.get(names.blocks()));
        }
        TopicFacts replies = check.present(topics, names.replies());
        if (replies != null) {
            passing(check, replies, largestReply(), "a piece of a block that is loaded, with its headers");
        }
    }

    /** Bytes of a batch that holds one piece of a loaded block of full size; its size is not a setting. */
    private static long largestReply() {
        return SettingsCheck.BATCH_HEADER_BYTES
                + SettingsCheck.RECORD_OVERHEAD_BYTES
                + LoadRequestEvent.MAX_WORKER_BYTES
                + ReplyEventCodec.MAX_HEADER_BYTES
                + (long) Topics.CHUNK_PAYLOAD_BYTES;
    }

    private static long largestRequest() {
        return SettingsCheck.BATCH_HEADER_BYTES
                + SettingsCheck.RECORD_OVERHEAD_BYTES
                + BlockKey.MAX_BYTES
                + (long) LoadRequestCodec.MAX_BYTES;
    }

    private static void loads(SettingsCheck check, TopicFacts topic, @Nullable TopicFacts blocks) {
        passing(check, topic, largestRequest(), "a request for the most blocks with the longest ids");
        if (blocks != null && topic.partitions() != blocks.partitions()) {
            check.error(
                    "topic " + topic.name(),
                    "partitions",
                    topic.partitions(),
                    "%d are needed, those of %s: delete the topic, and it is made anew"
                            .formatted(blocks.partitions(), blocks.name()));
        }
    }

    private static void passing(SettingsCheck check, TopicFacts topic, long needed, String what) {
        String where = "topic " + topic.name();
        long maxMessage = topic.number("max.message.bytes", needed);
        if (maxMessage < needed) {
            check.error(
                    where, "max.message.bytes", maxMessage, "at least %d are needed for %s".formatted(needed, what));
        }
        if (!topic.text("cleanup.policy").equals("delete")) {
            check.error(
                    where,
                    "cleanup.policy",
                    topic.text("cleanup.policy"),
                    "'delete' is needed: records share a key, and compaction would keep only the last");
        }
        long retention = topic.number("retention.ms", -1);
        if (retention < 0) {
            check.warn(where, "retention.ms", retention, "with a minute nothing is kept that nobody waits for");
        }
        check.replication(topic);
    }
}
