package io.kvern.worker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.Namespace;
import io.kvern.protocol.Partitioning;
import io.kvern.worker.load.LoadRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequestGroupTest {
    private static final Namespace NAMESPACE = Namespace.opaque("n");

    private static WantedBlock block(String id) {
        BlockId blockId = BlockId.of(id);
        return new WantedBlock(new LoadRequest(blockId, ByteBuffer.allocate(8)), NAMESPACE.key(blockId));
    }

    @Test
    void blocksArePartedByPartitionAndNumber() {
        List<WantedBlock> wanted = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            wanted.add(block("id-" + i));
        }

        List<RequestGroup> groups = RequestGroup.of(wanted, 4);

        assertThat(groups).hasSizeBetween(6, 12);
        Set<BlockKey> seen = new HashSet<>();
        for (RequestGroup group : groups) {
            assertThat(group.keys()).hasSizeBetween(1, 512).hasSameSizeAs(group.blocks());
            assertThat(group.keys())
                    .allSatisfy(key ->
                            assertThat(Partitioning.partitionOf(key.slot(), 4)).isEqualTo(group.partition()));
            seen.addAll(group.keys());
        }
        assertThat(seen).hasSize(3000);
    }

    @Test
    void oneBlockInTwoPlacesIsAskedForOnce() {
        WantedBlock one = block("same");
        WantedBlock two = block("same");

        assertThat(RequestGroup.of(List.of(one, two), 1)).singleElement().satisfies(group -> {
            assertThat(group.keys()).containsExactly(one.key);
            assertThat(group.blocks()).containsExactly(one, two);
        });
    }
}
