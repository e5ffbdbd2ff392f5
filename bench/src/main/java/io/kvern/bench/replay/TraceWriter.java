package io.kvern.bench.replay;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kvern.model.KvernException;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a trace as {@link TraceReader} reads it. */
final class TraceWriter {
    private static final ObjectMapper JSON = new ObjectMapper();

    private TraceWriter() {}

    /**
     * Replaces {@code path}.
     *
     * @return number of requests
     * @throws KvernException if the file cannot be written
     */
    static long write(Trace trace, Path path) {
        long written = 0;
        try (Trace.Cursor cursor = trace.open();
                Writer out = Files.newBufferedWriter(path)) {
            for (TraceRequest next = cursor.next(); next != null; next = cursor.next()) {
                ObjectNode line = JSON.createObjectNode()
                        .put("timestamp", next.timestampMillis())
                        .put("input_length", next.inputTokens())
                        .put("output_length", next.outputTokens());
                next.hashIds().forEach(line.putArray("hash_ids")::add);
                out.append(JSON.writeValueAsString(line)).append('\n');
                written++;
            }
        } catch (IOException e) {
            throw new KvernException("trace %s cannot be written: %s".formatted(path, e), e);
        }
        return written;
    }
}
