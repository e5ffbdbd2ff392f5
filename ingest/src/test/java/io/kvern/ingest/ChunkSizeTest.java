package io.kvern.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.model.BlockKey;
import io.kvern.protocol.BlockEventCodec;
import io.kvern.protocol.Topics;
import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.Record;
import org.junit.jupiter.api.Test;

/** The arithmetic behind 508 KiB. */
class ChunkSizeTest {
    private static final byte[] LONGEST_KEY = new byte[BlockKey.MAX_BYTES];
    private static final byte[] LONGEST_VALUE = new byte[Topics.CHUNK_PAYLOAD_BYTES + BlockEventCodec.MAX_HEADER_BYTES];

    @Test
    void twoOfTheLargestRecordsFillOneBatchAndAThirdDoesNotFit() {
        try (MemoryRecordsBuilder batch = batch()) {
            for (int i = 0; i < 2; i++) {
                assertThat(batch.hasRoomFor(0, LONGEST_KEY, LONGEST_VALUE, Record.EMPTY_HEADERS))
                        .isTrue();
                batch.append(0, LONGEST_KEY, LONGEST_VALUE);
            }
            // Two more KiB of payload for each would be too many: the chunk is as large as it can be, in whole KiB,
            // almost.
            assertThat(batch.hasRoomFor(0, new byte[0], new byte[4096], Record.EMPTY_HEADERS))
                    .isFalse();
            assertThat(batch.build().sizeInBytes())
                    .isLessThanOrEqualTo(PublisherConfig.BATCH_BYTES)
                    .isLessThanOrEqualTo(Topics.MAX_MESSAGE_BYTES);
        }
    }

    @Test
    void theSizeThatSettingsAreHeldAgainstIsThatOfKafkasFormat() {
        try (MemoryRecordsBuilder batch = batch()) {
            batch.append(0, LONGEST_KEY, LONGEST_VALUE);
            assertThat(SettingsCheck.largestRecord(Topics.CHUNK_PAYLOAD_BYTES))
                    .isBetween((long) batch.build().sizeInBytes(), batch.build().sizeInBytes() + 20L);
        }
    }

    @Test
    void anEncodedChunkIsNotHumongousInTheSmallestRegionsOfG1() {
        // From half a region of 1 MiB on G1 would give every array a region of its own.
        assertThat(LONGEST_VALUE.length + 16).isLessThan(512 << 10);
    }

    private static MemoryRecordsBuilder batch() {
        return MemoryRecords.builder(
                ByteBuffer.allocate(PublisherConfig.BATCH_BYTES), Compression.NONE, TimestampType.CREATE_TIME, 0);
    }
}
