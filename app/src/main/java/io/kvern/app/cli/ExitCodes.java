package io.kvern.app.cli;

/** What the command's exit code says; also in its help. */
public final class ExitCodes {
    public static final int OK = 0;
    public static final int FAILED = 1;
    public static final int INVALID = 2;
    public static final int NOT_FOUND = 3;
    public static final int UNAVAILABLE = 4;

    private ExitCodes() {}
}
