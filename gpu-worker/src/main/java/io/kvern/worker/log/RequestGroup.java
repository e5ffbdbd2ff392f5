package io.kvern.worker.log;

import io.kvern.model.BlockKey;
import io.kvern.protocol.LoadRequestEvent;
import io.kvern.protocol.Partitioning;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one record asks for: blocks of one partition, not more than a request may name.
 *
 * @param keys each once, in the load's order
 * @param blocks those of the load that have these keys; two may be the same block
 */
record RequestGroup(int partition, List<BlockKey> keys, List<WantedBlock> blocks) {
    RequestGroup {
        keys = List.copyOf(keys);
        blocks = List.copyOf(blocks);
    }

    /** As few as can be. */
    static List<RequestGroup> of(List<WantedBlock> wanted, int partitions) {
        SortedMap<Integer, Map<BlockKey, List<WantedBlock>>> byPartition = new TreeMap<>();
        for (WantedBlock block : wanted) {
            byPartition
                    .computeIfAbsent(
                            Partitioning.partitionOf(block.key.slot(), partitions), first -> new LinkedHashMap<>())
                    .computeIfAbsent(block.key, first -> new ArrayList<>())
                    .add(block);
        }
        List<RequestGroup> groups = new ArrayList<>();
        byPartition.forEach((partition, byKey) -> {
            List<BlockKey> keys = List.copyOf(byKey.keySet());
            for (int from = 0; from < keys.size(); from += LoadRequestEvent.MAX_KEYS) {
                List<BlockKey> some = keys.subList(from, Math.min(keys.size(), from + LoadRequestEvent.MAX_KEYS));
                List<WantedBlock> theirs = new ArrayList<>();
                some.forEach(key -> theirs.addAll(byKey.getOrDefault(key, List.of())));
                groups.add(new RequestGroup(partition, some, theirs));
            }
        });
        return groups;
    }
}
