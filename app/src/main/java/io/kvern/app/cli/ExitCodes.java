package io.kvern.app.cli;

/** What the command's exit code says; also in its help. */
final class ExitCodes {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int INVALID = 2;
    static final int NOT_FOUND = 3;
    static final int UNAVAILABLE = 4;

    private ExitCodes() {}
}
