package io.kvern.worker.log;

import io.kvern.worker.load.BlockLoad;
import io.kvern.worker.load.LoadResult;
import io.kvern.worker.load.LoadStatus;
import java.util.concurrent.atomic.LongAdder;

/** The loader's counters, written by every thread. */
final class LogCounters {
    private final LongAdder loaded = new LongAdder();
    private final LongAdder notLoaded = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder foreign = new LongAdder();
    final LongAdder ignored = new LongAdder();
    final LongAdder invalid = new LongAdder();
    final LongAdder wrongCrcs = new LongAdder();

    void count(LoadResult result) {
        for (BlockLoad block : result.blocks()) {
            (block.status() == LoadStatus.LOADED ? loaded : notLoaded).increment();
        }
        bytes.add(result.bytes());
    }

    LogLoaderStats snapshot() {
        return new LogLoaderStats(
                loaded.sum(),
                notLoaded.sum(),
                bytes.sum(),
                requests.sum(),
                foreign.sum(),
                ignored.sum(),
                invalid.sum(),
                wrongCrcs.sum());
    }
}
