package io.kvern.bench.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.kvern.model.InvalidInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a trace line by line:
 *
 * <pre>
 * {"timestamp": 27482, "input_length": 6955, "output_length": 52, "hash_ids": [46, 47, 2353]}
 * </pre>
 *
 * Times are milliseconds and never go back. Empty lines and further fields are passed over.
 */
final class TraceReader implements Trace.Cursor {
    private static final Logger LOG = LoggerFactory.getLogger(TraceReader.class);
    private static final ObjectReader JSON =
            new ObjectMapper().reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final Path path;
    private final BufferedReader lines;
    private long line;
    private long before;

    /** Takes {@code lines} over; {@code path} is only named in errors. */
    TraceReader(Path path, BufferedReader lines) {
        this.path = path;
        this.lines = lines;
    }

    @Override
    public @Nullable TraceRequest next() {
        try {
            String text;
            do {
                text = lines.readLine();
                line++;
            } while (text != null && text.isBlank());
            return text == null ? null : request(JSON.readTree(text));
        } catch (JsonProcessingException e) {
            // What follows in parentheses is a place inside the line's text, which the parser does not see as a file's.
            String what = e.getOriginalMessage();
            int place = what.indexOf(" (");
            throw wrong("it is no JSON: " + (place < 0 ? what : what.substring(0, place)));
        } catch (IOException e) {
            throw wrong("reading failed: " + e);
        }
    }

    private TraceRequest request(JsonNode node) {
        if (!node.isObject()) {
            throw wrong("a JSON object is needed");
        }
        long timestamp = count(node, "timestamp");
        if (timestamp < before) {
            throw wrong(
                    "timestamp is %d; the one before is %d, and time does not go back".formatted(timestamp, before));
        }
        before = timestamp;
        return new TraceRequest(timestamp, count(node, "input_length"), count(node, "output_length"), ids(node));
    }

    private List<Long> ids(JsonNode node) {
        JsonNode ids = node.get("hash_ids");
        if (ids == null || !ids.isArray()) {
            throw wrong("hash_ids is %s; an array of whole numbers is needed".formatted(said(ids)));
        }
        List<Long> read = new ArrayList<>(ids.size());
        for (JsonNode id : ids) {
            if (!id.isIntegralNumber() || !id.canConvertToLong()) {
                throw wrong("hash_ids has %s at place %d; a whole number of 64 bits is needed"
                        .formatted(said(id), read.size()));
            }
            read.add(id.longValue());
        }
        return read;
    }

    private long count(JsonNode node, String field) {
        JsonNode value = node.get(field);
        if (value == null || !value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
            throw wrong("%s is %s; a whole number from 0 is needed".formatted(field, said(value)));
        }
        return value.longValue();
    }

    private static String said(@Nullable JsonNode value) {
        return value == null ? "absent" : value.toString();
    }

    private InvalidInputException wrong(String what) {
        return new InvalidInputException("trace %s, line %d: %s".formatted(path, line, what));
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException e) {
            LOG.debug("Closing {} failed; all that was wanted of it was read", path, e);
        }
    }
}
