package io.kvern.app.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs something until the process is told to stop (SIGTERM, Ctrl-C), and closes it in good order then, also when it had
 * not finished starting.
 */
public final class Foreground {
    private static final Logger LOG = LoggerFactory.getLogger(Foreground.class);

    /** Longer than the parts take to close, each by its own deadline. */
    private static final long CLOSE_SECONDS = 60;

    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread worker = Thread.currentThread();
    private final Thread hook = Thread.ofPlatform().name("kvern-shutdown").unstarted(this::stop);

    private Foreground() {}

    /**
     * @param start makes it; what it throws goes to the caller
     * @param ready the one line that is printed when it runs
     * @param failure completes when it can run no longer, with the reason
     * @return exit code 1 after a failure; after a signal the process ends by itself, whatever the code
     */
    static <T extends AutoCloseable> int run(
            PrintWriter out,
            Callable<T> start,
            Function<T, String> ready,
            Function<T, CompletableFuture<Throwable>> failure)
            throws Exception {
        return runUntilStopped(() -> {
            T running = start.call();
            try {
                out.println(ready.apply(running));
                out.flush();
                LOG.error("Stopping: {}", reason(failure.apply(running)));
                return ExitCodes.FAILED;
            } finally {
                running.close();
            }
        });
    }

    /**
     * Does the work in this thread. A signal interrupts it, and waits until it has cleaned up behind itself.
     *
     * @return what the work answers
     */
    public static int runUntilStopped(Callable<Integer> work) throws Exception {
        Foreground foreground = new Foreground();
        Runtime.getRuntime().addShutdownHook(foreground.hook);
        try {
            return work.call();
        } catch (InterruptedException e) {
            LOG.info("Stopped");
            return ExitCodes.OK;
        } finally {
            foreground.done.countDown();
            foreground.removeHook();
        }
    }

    private static Throwable reason(CompletableFuture<Throwable> failure) throws InterruptedException {
        try {
            return failure.get();
        } catch (ExecutionException e) {
            @Nullable Throwable cause = e.getCause();
            return cause == null ? e : cause;
        }
    }

    private void stop() {
        worker.interrupt();
        try {
            if (!done.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.error("Did not close within {} s", CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void removeHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("The process is ending already", e);
        }
    }
}
