package io.kvern.streams.doors;

import io.kvern.model.BlockKey;
import io.kvern.streams.Answer;
import io.kvern.streams.Certainty;
import io.kvern.streams.Look;
import io.kvern.streams.NodeView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks for blocks, and waits a while for certainty where the node has none. */
final class BlockLookup {
    private final NodeView node;
    private final Duration unsureWait;

    BlockLookup(NodeView node, Duration unsureWait) {
        this.node = node;
        this.unsureWait = unsureWait;
    }

    /** When a command that begins now stops waiting for certainty. */
    Deadline deadline() {
        return Deadline.in(unsureWait);
    }

    /** Looks, and while the node is unsure waits until {@code deadline} and looks again. */
    Answer find(BlockKey key, Deadline deadline) throws InterruptedException {
        boolean waited = false;
        while (true) {
            if (node.certainty(key) == Certainty.ELSEWHERE) {
                return elsewhere(key);
            }
            Answer certain = Look.at(key, node.store(), node::certainty);
            if (certain != null) {
                return certain;
            }
            if (waited && deadline.passed()) {
                return unsure(key);
            }
            waited = true;
            if (node.awaitCurrent(key, deadline.left()) == Certainty.UNSURE && !deadline.passed()) {
                // The node gave up early; so does this.
                deadline = new Deadline(System.nanoTime());
            }
        }
    }

    /**
     * Looks for many blocks at once; for those of which the node is unsure, one after the other as {@link #find} does.
     *
     * @param leading whether the first block that is no hit ends the search
     * @return as many answers as keys, in their order; fewer, with that block the last, where it ended
     */
    List<Answer> findAll(List<BlockKey> keys, boolean leading, Deadline deadline) throws InterruptedException {
        List<Answer> answers = new ArrayList<>(keys.size());
        List<@Nullable Answer> seen = Look.atAll(keys, node.store(), node::certainty);
        for (int i = 0; i < keys.size(); i++) {
            Answer certain = seen.get(i);
            Answer answer = certain != null ? certain : find(keys.get(i), deadline);
            answers.add(answer);
            if (leading && !(answer instanceof Answer.Hit)) {
                break;
            }
        }
        return answers;
    }

    /** That this node does not have the key's partition, or null where it has. */
    Answer.@Nullable Unsure ifElsewhere(BlockKey key) {
        return node.certainty(key) == Certainty.ELSEWHERE ? elsewhere(key) : null;
    }

    /** Whether the store has the key now, whatever that is worth. */
    boolean holds(BlockKey key) {
        return node.store().find(key) != null;
    }

    private Answer.Unsure elsewhere(BlockKey key) {
        return new Answer.Unsure("partition %d is not attached to this node".formatted(node.partitionOf(key)));
    }

    private Answer.Unsure unsure(BlockKey key) {
        return new Answer.Unsure(
                "this node is behind on partition %d and did not catch up within %d ms (setting door.unsure.wait)"
                        .formatted(node.partitionOf(key), unsureWait.toMillis()));
    }
}
