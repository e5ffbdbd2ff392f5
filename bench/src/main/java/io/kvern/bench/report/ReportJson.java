package io.kvern.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A report as JSON and back. What is no number is the string {@code "NaN"}. */
public final class ReportJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    private ReportJson() {}

    public static String render(Report report) {
        return write(report, true);
    }

    /** On one line. */
    static String compact(Report report) {
        return write(report, false);
    }

    private static String write(Report report, boolean pretty) {
        try {
            return (pretty ? MAPPER.writer() : MAPPER.writer().without(SerializationFeature.INDENT_OUTPUT))
                    .writeValueAsString(report);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report of plain records could not be written", e);
        }
    }

    /** @throws JsonProcessingException if the text is no report: not JSON, or a field is missing or unknown */
    public static Report parse(String json) throws JsonProcessingException {
        return MAPPER.readValue(json, Report.class);
    }

    /** Writes a file, in place of what is there. */
    public static void write(Report report, Path file) throws IOException {
        Files.writeString(file, render(report) + "\n");
    }

    /** @throws IOException if the file cannot be read, or is no report */
    public static Report read(Path file) throws IOException {
        return parse(Files.readString(file));
    }
}
