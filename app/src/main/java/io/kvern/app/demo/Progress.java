package io.kvern.app.demo;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Says what the demo is doing. On a terminal the current line is rewritten in place; into a log, a line is written at the
 * beginning and end of each step, and in between at most every few seconds. Safe for use by many threads.
 */
public final class Progress {
    private static final long TERMINAL_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LOG_EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final PrintStream out;
    private final boolean terminal;
    private final LongSupplier nanoClock;

    private String step = "";
    private long stepStart;
    private long lastUpdate;
    private int shown; // characters of the current line on a terminal

    /**
     * Writes to {@code out}, which the caller keeps.
     *
     * @param terminal whether a carriage return goes back to the beginning of the line
     */
    public Progress(PrintStream out, boolean terminal) {
        this(out, terminal, System::nanoTime);
    }

    Progress(PrintStream out, boolean terminal, LongSupplier nanoClock) {
        this.out = out;
        this.terminal = terminal;
        this.nanoClock = nanoClock;
    }

    /** Begins a step. */
    public synchronized void begin(String what) {
        step = what;
        stepStart = nanoClock.getAsLong();
        lastUpdate = stepStart;
        if (terminal) {
            rewrite(what + " …");
        } else {
            out.println(what + " …");
            out.flush();
        }
    }

    /** Says how far the current step is. Cheap: most calls write nothing. */
    public synchronized void update(String how) {
        long now = nanoClock.getAsLong();
        if (now - lastUpdate < (terminal ? TERMINAL_EVERY_NANOS : LOG_EVERY_NANOS)) {
            return;
        }
        lastUpdate = now;
        if (terminal) {
            rewrite(step + ": " + how);
        } else {
            out.println("  " + how);
            out.flush();
        }
    }

    /** Ends the current step with its time. */
    public synchronized void done(String result) {
        double seconds = (nanoClock.getAsLong() - stepStart) / (double) TimeUnit.SECONDS.toNanos(1);
        String line = "%s: %s (%s s)".formatted(step, result, String.format(Locale.ROOT, "%.1f", seconds));
        if (terminal) {
            rewrite(line);
            shown = 0;
            out.println();
        } else {
            out.println(line);
        }
        out.flush();
    }

    private void rewrite(String line) {
        out.print('\r' + line + " ".repeat(Math.max(0, shown - line.length())));
        out.flush();
        shown = line.length();
    }
}
