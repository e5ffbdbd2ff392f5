package io.kvern.bench.replay;

import io.kvern.model.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A trace in a file, one JSON object per line; read as a stream. */
record TraceFile(Path path) implements Trace {
    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public Cursor open() {
        try {
            return new TraceReader(path, Files.newBufferedReader(path));
        } catch (IOException e) {
            throw new InvalidInputException("trace %s cannot be read: %s".formatted(path, e), e);
        }
    }
}
