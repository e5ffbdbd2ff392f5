package io.kvern.bench.inner;

import io.kvern.model.Crc32c;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Checksums of direct memory, and of two runs whose sums are known. */
@BenchmarkMode(Mode.AverageTime)
public class CrcBenchmark {
    /** What is summed. */
    @State(Scope.Thread)
    public static class Payload {
        @Param({"65536", "520192", "4194304"})
        public int bytes;

        private ByteBuffer content = ByteBuffer.allocate(0);

        @Setup
        public void fill() {
            content = Payloads.direct(bytes);
        }
    }

    /** Sums of the two halves of a block of 4 MiB. */
    @State(Scope.Thread)
    public static class Halves {
        private int first = 0x1234_5678;
        private int second = 0x9abc_def0;
        private int secondLength = 2 << 20;

        /** JMH reads the numbers anew for each call: none is known to the compiler. */
        @Setup
        public void vary() {
            first++;
            second++;
            secondLength |= 0x7f;
        }
    }

    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public int crc(Payload payload) {
        return Crc32c.of(payload.content);
    }

    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public int combineCrcs(Halves halves) {
        return Crc32c.combine(halves.first, halves.second, halves.secondLength);
    }
}
