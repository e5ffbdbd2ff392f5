package io.kvern.app.cli;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs something until the process is told to stop (SIGTERM, Ctrl-C), and closes it in good order then. */
final class Foreground {
    private static final Logger LOG = LoggerFactory.getLogger(Foreground.class);

    private Foreground() {}

    /**
     * @param start makes it; what it throws goes to the caller
     * @param ready the one line that is printed when it runs
     * @param failure completes when it can run no longer, with the reason
     * @return exit code 1 after a failure; after a signal the process ends by itself
     */
    static <T extends AutoCloseable> int run(
            Callable<T> start, Function<T, String> ready, Function<T, CompletableFuture<Throwable>> failure)
            throws InterruptedException {
        T running;
        try {
            running = start.call();
        } catch (RuntimeException | InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("could not start", e);
        }
        Thread hook = Thread.ofPlatform().name("kvern-shutdown").unstarted(() -> close(running));
        Runtime.getRuntime().addShutdownHook(hook);
        System.out.println(ready.apply(running));
        System.out.flush();
        try {
            Throwable reason = failure.apply(running).get();
            LOG.error("Stopping: {}", reason.toString(), reason);
        } catch (ExecutionException e) {
            LOG.error("Stopping", e.getCause());
        }
        // System.exit runs the hook, which closes; here only the code is decided.
        return ExitCodes.FAILED;
    }

    private static void close(AutoCloseable running) {
        try {
            running.close();
        } catch (Exception e) {
            LOG.error("Did not close in good order", e);
        }
    }
}
