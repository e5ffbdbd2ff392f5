package io.kvern.bench.inner;

import io.kvern.store.BlockInfo;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Looking blocks up in a real store, whose index lies in RocksDB's files. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class StoreBenchmark {
    private static final int MATCHED = 128;

    /** A store for the life of the JVM, and where in it the next call looks. */
    @State(Scope.Benchmark)
    public static class Stored {
        @Param("100000")
        public int blocks;

        private @Nullable FilledStore filled;
        private int next;

        @Setup
        public void fill() {
            filled = FilledStore.create(blocks);
        }

        private FilledStore store() {
            return Objects.requireNonNull(filled);
        }

        private int next() {
            next = next + 1 == blocks ? 0 : next + 1;
            return next;
        }

        @TearDown
        public void remove() {
            store().close();
        }
    }

    @Benchmark
    public @Nullable BlockInfo findStored(Stored stored) {
        return stored.store().findStored(stored.next());
    }

    @Benchmark
    public @Nullable BlockInfo findAbsent(Stored stored) {
        return stored.store().findAbsent(stored.next());
    }

    /** As KV.MATCH does for a prefix that is stored as a whole. */
    @Benchmark
    public List<@Nullable BlockInfo> match128(Stored stored) {
        return stored.store().findRun(stored.next(), MATCHED);
    }
}
