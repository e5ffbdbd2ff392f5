package io.kvern.bench.inner;

import io.kvern.model.BlockKey;
import io.kvern.store.BlockInfo;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Looking blocks up in a real store, whose index lies in RocksDB's files. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class StoreBenchmark {
    private static final int BLOCKS = 100_000;
    private static final int MATCHED = 128;

    /** A store for the life of the JVM. */
    @State(Scope.Benchmark)
    public static class Stored {
        private final FilledStore filled = FilledStore.create(BLOCKS);
        private int next;

        private BlockKey stored() {
            return filled.stored((next++ & Integer.MAX_VALUE) % BLOCKS);
        }

        private BlockKey absent() {
            return filled.absent((next++ & Integer.MAX_VALUE) % BLOCKS);
        }

        @TearDown
        public void remove() {
            filled.close();
        }
    }

    @Benchmark
    public @Nullable BlockInfo findStored(Stored stored) {
        return stored.filled.find(stored.stored());
    }

    @Benchmark
    public @Nullable BlockInfo findAbsent(Stored stored) {
        return stored.filled.find(stored.absent());
    }

    /** As KV.MATCH does for a prefix that is stored as a whole. */
    @Benchmark
    public int match128(Stored stored) {
        int found = 0;
        while (found < MATCHED && stored.filled.find(stored.stored()) != null) {
            found++;
        }
        return found;
    }
}
