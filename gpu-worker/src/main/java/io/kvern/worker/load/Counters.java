package io.kvern.worker.load;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The loader's counters, written by every thread. */
final class Counters {
    private final Map<LoadStatus, LongAdder> blocks = new EnumMap<>(LoadStatus.class);
    final LongAdder bytes = new LongAdder();
    final LongAdder matches = new LongAdder();
    final LongAdder wrongCrcs = new LongAdder();
    final LongAdder connects = new LongAdder();
    final LongAdder losses = new LongAdder();

    Counters() {
        for (LoadStatus status : LoadStatus.values()) {
            blocks.put(status, new LongAdder());
        }
    }

    void count(LoadResult result) {
        for (BlockLoad block : result.blocks()) {
            of(block.status()).increment();
        }
        bytes.add(result.bytes());
    }

    private LongAdder of(LoadStatus status) {
        LongAdder adder = blocks.get(status);
        if (adder == null) {
            throw new IllegalStateException("every status has a counter");
        }
        return adder;
    }

    LoaderStats snapshot() {
        return new LoaderStats(
                of(LoadStatus.LOADED).sum(),
                of(LoadStatus.MISS).sum(),
                of(LoadStatus.CORRUPT).sum(),
                of(LoadStatus.LATE).sum(),
                of(LoadStatus.REFUSED).sum(),
                of(LoadStatus.UNSURE).sum(),
                bytes.sum(),
                matches.sum(),
                wrongCrcs.sum(),
                connects.sum(),
                losses.sum());
    }
}
