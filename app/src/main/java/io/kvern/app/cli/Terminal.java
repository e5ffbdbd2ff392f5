package io.kvern.app.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.kvern.app.demo.Progress;
import java.io.Console;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** What a command that tells its own story needs of the terminal. */
public final class Terminal {
    private Terminal() {}

    /**
     * Only warnings of Kvern and errors of all others are logged from now on, unless {@code KVERN_LOG_LEVEL} is set: a broker
     * that starts and stops has much to say.
     */
    public static void quietLogs() {
        if (System.getenv("KVERN_LOG_LEVEL") == null) {
            level("io.kvern", Level.WARN);
            level(Logger.ROOT_LOGGER_NAME, Level.ERROR);
        }
    }

    /** Progress on standard output, in place where that is a terminal. */
    public static Progress progress() {
        return new Progress(
                System.out,
                Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false));
    }

    private static void level(String name, Level level) {
        if (LoggerFactory.getLogger(name) instanceof Logger logger) {
            logger.setLevel(level);
        }
    }
}
