package io.kvern.app.cli;

/**
 * A command that another module brings. Modules are found by {@link java.util.ServiceLoader}: what is on the class path is
 * in the help.
 */
public interface CommandExtension {
    /** A new object that picocli takes as a command. */
    Object command();
}
