package io.kvern.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final AtomicLong clock = new AtomicLong();

    @Test
    void aTerminalLineIsRewrittenInPlaceAndCleared() {
        Progress progress = progress(true);
        progress.begin("fill");
        clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
        progress.update("1 of 20000");
        clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(1400));
        progress.done("all");

        assertThat(text()).isEqualTo("\rfill …\rfill: 1 of 20000\rfill: all (1.5 s)" + System.lineSeparator());
    }

    @Test
    void aShorterLineLeavesNothingOfALongerOne() {
        Progress progress = progress(true);
        progress.begin("fill everything");
        progress.done("");
        progress.begin("a longer step");
        progress.begin("step");

        assertThat(text()).endsWith("\ra longer step …\rstep …" + " ".repeat(9));
    }

    @Test
    void aLogGetsFewWholeLines() {
        Progress progress = progress(false);
        progress.begin("fill");
        for (int i = 1; i <= 100; i++) {
            clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(110));
            progress.update(i + " of 100");
        }
        progress.done("all");

        assertThat(text().lines()).containsExactly("fill …", "  46 of 100", "  92 of 100", "fill: all (11.0 s)");
    }

    private Progress progress(boolean terminal) {
        return new Progress(new PrintStream(written, false, StandardCharsets.UTF_8), terminal, clock::get);
    }

    private String text() {
        return written.toString(StandardCharsets.UTF_8);
    }
}
