package io.kvern.bench.inner;

import io.kvern.model.BlockId;
import io.kvern.model.BlockKey;
import io.kvern.model.ChunkHeader;
import io.kvern.model.Crc32c;
import io.kvern.model.Namespace;
import io.kvern.model.PublishId;
import io.kvern.model.WriteMode;
import io.kvern.protocol.BlockEvent;
import io.kvern.protocol.BlockEventCodec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A chunk to a record's value, from direct memory, and back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ChunkBenchmark {
    private static final BlockKey KEY = Namespace.opaque("bench").key(BlockId.of("{0011223344556677}:0/1:0"));

    /** Payload of the chunk: 64 KiB, and the 508 KiB of which two fill a batch. */
    @Param({"65536", "520192"})
    public int bytes;

    private final byte[] key = KEY.toBytes();
    private ByteBuffer payload = ByteBuffer.allocate(0);
    private byte[] record = {};
    private ChunkHeader header = header(1, 0);

    @Setup
    public void fill() {
        payload = Payloads.direct(bytes);
        header = header(bytes, Crc32c.of(payload));
        record = BlockEventCodec.encodeChunk(header, payload);
    }

    private static ChunkHeader header(int length, int crc) {
        return new ChunkHeader(
                new PublishId(1, 2, 3), 0, WriteMode.IF_ABSENT, length, 0, length, crc, crc, List.of(), null, 1, 0);
    }

    @Benchmark
    public byte[] encodeChunk() {
        return BlockEventCodec.encodeChunk(header, payload);
    }

    @Benchmark
    public BlockEvent decodeChunk() {
        return BlockEventCodec.decode(key, record);
    }
}
