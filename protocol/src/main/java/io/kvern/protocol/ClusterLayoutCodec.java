package io.kvern.protocol;

import static io.kvern.protocol.AvroWriter.size;

import io.kvern.model.InvalidInputException;
import io.kvern.protocol.ClusterLayout.PinnedTopic;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** {@link ClusterLayout} to bytes and back, in the encoding of {@code ClusterLayout.v1.avsc}. */
public final class ClusterLayoutCodec {
    private static final byte[] KEY = "cluster-layout".getBytes(StandardCharsets.US_ASCII);

    private ClusterLayoutCodec() {}

    /** The one key in {@code kvern.control} under which the layout stands. A copy. */
    public static byte[] key() {
        return KEY.clone();
    }

    public static byte[] encode(ClusterLayout layout) {
        int length = AvroWriter.PREFIX_BYTES + size(layout.topics().size()) + 1;
        for (Map.Entry<String, PinnedTopic> topic : layout.topics().entrySet()) {
            int name = topic.getKey().length(); // ASCII, as every topic name is
            length += size(name) + name + 16 + size(topic.getValue().partitions());
        }
        AvroWriter out = new AvroWriter(EventSchema.CLUSTER_LAYOUT_V1, length);
        out.number(layout.topics().size());
        layout.topics().forEach((name, topic) -> {
            out.bytes(StandardCharsets.US_ASCII.encode(name));
            out.fixed(topic.topicId().getMostSignificantBits(), topic.topicId().getLeastSignificantBits());
            out.number(topic.partitions());
        });
        out.number(0);
        return out.finish();
    }

    /** @throws InvalidEventException if no layout can have these bytes; nothing else is thrown */
    public static ClusterLayout decode(byte[] value) {
        try {
            AvroReader in = new AvroReader(value);
            in.expect(EventSchema.CLUSTER_LAYOUT_V1);
            TreeMap<String, PinnedTopic> topics = new TreeMap<>();
            int count;
            while ((count = in.items("topics", ClusterLayout.MAX_TOPICS - topics.size())) > 0) {
                for (int i = 0; i < count; i++) {
                    String name = text(in.slice("topics.name", ClusterLayout.MAX_NAME_BYTES));
                    UUID id = new UUID(in.fixedLong("topics.topicId"), in.fixedLong("topics.topicId"));
                    if (topics.put(name, new PinnedTopic(id, in.integer("topics.partitions"))) != null) {
                        throw new InvalidEventException("topic %s is pinned twice".formatted(name));
                    }
                }
            }
            in.end();
            return new ClusterLayout(topics);
        } catch (InvalidInputException e) {
            throw new InvalidEventException(String.valueOf(e.getMessage()), e);
        }
    }

    private static String text(ByteBuffer ascii) {
        try {
            return StandardCharsets.US_ASCII.newDecoder().decode(ascii).toString();
        } catch (CharacterCodingException e) {
            throw new InvalidEventException("field topics.name is not ASCII, as every topic name is", e);
        }
    }
}
