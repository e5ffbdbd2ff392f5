package io.kvern.bench.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A thread per socket, kept between rounds. */
final class Crew implements AutoCloseable {
    private final int size;
    private final ExecutorService threads;

    Crew(int size) {
        this.size = size;
        this.threads = Executors.newFixedThreadPool(
                size, Thread.ofPlatform().daemon().name("bench-socket-", 0).factory());
    }

    /** One member's share of the work. */
    interface Share {
        void work(int member) throws Exception;
    }

    /** Lets all work at once; returns when the last is done. */
    void all(Share share) throws Exception {
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int member = i;
            working.add(threads.submit(() -> {
                share.work(member);
                return true;
            }));
        }
        for (Future<?> each : working) {
            each.get();
        }
    }

    int size() {
        return size;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
