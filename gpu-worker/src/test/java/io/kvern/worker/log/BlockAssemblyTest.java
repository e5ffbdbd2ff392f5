package io.kvern.worker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.Crc32c;
import io.kvern.model.Namespace;
import io.kvern.protocol.ReplyEvent;
import io.kvern.worker.load.Room;
import io.kvern.worker.log.BlockAssembly.Step;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks as a topic may deliver them: twice, out of order, of two answers at once. */
class BlockAssemblyTest {
    private static final BlockKey KEY = Namespace.opaque("n").key(BlockId.of("id"));
    private static final byte FILL = (byte) 0xA5;

    private final ByteBuffer destination = filled(1000);
    private final Room room = new Room(destination.duplicate().position(100).limit(900));
    private final BlockAssembly assembly = new BlockAssembly(room);

    private static ByteBuffer filled(int length) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            buffer.put(i, FILL);
        }
        return buffer;
    }

    private static byte[] block(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static ReplyEvent.Chunk chunk(byte[] block, int from, int to) {
        return chunk(block, from, to, Crc32c.of(ByteBuffer.wrap(block)));
    }

    private static ReplyEvent.Chunk chunk(byte[] block, int from, int to, int crc) {
        ByteBuffer payload = ByteBuffer.wrap(block, from, to - from).slice();
        return new ReplyEvent.Chunk(new UUID(1, 2), KEY, from, block.length, crc, payload);
    }

    private void assertHolds(byte[] block) {
        byte[] found = new byte[block.length];
        destination.get(100, found);
        assertThat(found).isEqualTo(block);
        for (int i = 0; i < 100; i++) {
            assertThat(destination.get(i)).isEqualTo(FILL);
            assertThat(destination.get(900 + i)).isEqualTo(FILL);
        }
    }

    @Test
    void chunksInOrderMakeTheBlock() {
        byte[] block = block(1, 700);

        assertThat(assembly.take(chunk(block, 0, 300))).isEqualTo(Step.TAKEN);
        assertThat(assembly.take(chunk(block, 300, 699))).isEqualTo(Step.TAKEN);
        assertThat(assembly.take(chunk(block, 699, 700))).isEqualTo(Step.COMPLETE);
        assertHolds(block);
    }

    @Test
    void whatCameAlreadyIsPassedOver() {
        byte[] block = block(2, 600);

        assembly.take(chunk(block, 0, 300));
        assertThat(assembly.take(chunk(block, 0, 300))).isEqualTo(Step.IGNORED);
        assertThat(assembly.take(chunk(block, 300, 400))).isEqualTo(Step.TAKEN);
        assertThat(assembly.take(chunk(block, 300, 400))).isEqualTo(Step.IGNORED);
        assertThat(assembly.take(chunk(block, 400, 600))).isEqualTo(Step.COMPLETE);
        assertHolds(block);
    }

    @Test
    void aGapIsNotFilledWithWhatComesBehindIt() {
        byte[] block = block(3, 600);

        assertThat(assembly.take(chunk(block, 300, 600))).isEqualTo(Step.IGNORED);
        assembly.take(chunk(block, 0, 100));
        assertThat(assembly.take(chunk(block, 200, 600))).isEqualTo(Step.IGNORED);
        assertThat(assembly.take(chunk(block, 100, 600))).isEqualTo(Step.COMPLETE);
        assertHolds(block);
    }

    @Test
    void anotherContentStartsOverAndTheFirstOneNoLongerCounts() {
        byte[] old = block(4, 600);
        byte[] young = block(5, 500);

        assembly.take(chunk(old, 0, 300));
        assertThat(assembly.take(chunk(young, 0, 250))).isEqualTo(Step.TAKEN);
        assertThat(assembly.take(chunk(old, 300, 600))).isEqualTo(Step.IGNORED);
        assertThat(assembly.take(chunk(young, 250, 500))).isEqualTo(Step.COMPLETE);
        assertHolds(young);
    }

    @Test
    void wrongBytesAreNoticedAndAnotherAnswerPutsThemRight() {
        byte[] block = block(6, 400);
        byte[] damaged = block.clone();
        damaged[123] ^= 1;
        int crc = Crc32c.of(ByteBuffer.wrap(block));

        assembly.take(chunk(block, 0, 100, crc));
        assertThat(assembly.take(chunk(damaged, 100, 400, crc))).isEqualTo(Step.WRONG);
        assembly.take(chunk(block, 0, 100, crc));
        assertThat(assembly.take(chunk(block, 100, 400, crc))).isEqualTo(Step.COMPLETE);
        assertHolds(block);
    }

    @Test
    void aBlockThatIsTooLongTouchesNothing() {
        assertThat(assembly.take(chunk(block(7, 801), 0, 10))).isEqualTo(Step.TOO_LONG);
        assertThat(destination).isEqualTo(filled(1000));
    }

    @Test
    void afterTheRoomIsShutNothingIsTouched() {
        byte[] block = block(8, 600);
        assembly.take(chunk(block, 0, 100));
        ByteBuffer before =
                ByteBuffer.allocate(1000).put(destination.duplicate()).flip();

        room.shut();

        assertThat(assembly.take(chunk(block, 100, 600))).isEqualTo(Step.SHUT);
        assertThat(assembly.take(chunk(block(9, 10), 0, 10))).isEqualTo(Step.SHUT);
        assertThat(destination).isEqualTo(before);
    }

    /** Whatever mix of answers comes: complete means exact. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {41, 42, 43})
    void completeMeansExact(long seed) {
        Random random = new Random(seed);
        int completed = 0;
        for (int round = 0; round < 2_000; round++) {
            BlockAssembly mixed = new BlockAssembly(
                    new Room(destination.duplicate().position(100).limit(900)));
            byte[][] contents = {block(random.nextInt(), 800), block(random.nextInt(), 1 + random.nextInt(800))};
            List<ReplyEvent.Chunk> log = new ArrayList<>();
            for (int answer = 0; answer < 3; answer++) {
                byte[] content = contents[random.nextInt(2)];
                int step = 1 + random.nextInt(content.length);
                for (int from = 0, at = 0; from < content.length; from += step) {
                    if (random.nextInt(10) > 0) {
                        at = Math.min(log.size(), at + random.nextInt(3));
                        log.add(at, chunk(content, from, Math.min(content.length, from + step)));
                    }
                }
            }
            for (ReplyEvent.Chunk chunk : log) {
                Step result = mixed.take(chunk);
                assertThat(result).isNotIn(Step.TOO_LONG, Step.SHUT);
                if (result == Step.COMPLETE) {
                    completed++;
                    assertHolds(
                            chunk.totalLength() == contents[0].length
                                            && chunk.blockCrc() == Crc32c.of(ByteBuffer.wrap(contents[0]))
                                    ? contents[0]
                                    : contents[1]);
                }
            }
        }
        assertThat(completed).isGreaterThan(500);
    }
}
