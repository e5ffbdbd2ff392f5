package io.kvern.resp.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Fails a test class whose buffers were collected without being released. Needs the leak detector's paranoid level. */
final class NoLeaks implements BeforeAllCallback, AfterAllCallback {
    private final ListAppender<ILoggingEvent> reports = new ListAppender<>();

    @Override
    public void beforeAll(ExtensionContext context) {
        assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
        reports.start();
        logger().addAppender(reports);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        for (int i = 0; i < 5; i++) {
            System.gc();
            // A leak is reported by a later allocation.
            for (int j = 0; j < 32; j++) {
                ByteBufAllocator.DEFAULT.directBuffer(16).release();
            }
        }
        logger().detachAppender(reports);
        assertThat(reports.list).extracting(ILoggingEvent::getFormattedMessage).isEmpty();
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    }
}
