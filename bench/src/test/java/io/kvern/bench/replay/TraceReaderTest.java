package io.kvern.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.model.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceReaderTest {
    private static final String GOOD =
            "{\"timestamp\": 3, \"input_length\": 700, \"output_length\": 52, \"hash_ids\": [46, 47]}";

    @TempDir
    private Path dir;

    private Trace trace(String... lines) throws IOException {
        return new TraceFile(Files.write(dir.resolve("trace.jsonl"), List.of(lines)));
    }

    @Test
    void readsRequestsInOrderAndPassesOverWhatItDoesNotKnow() throws IOException {
        Trace trace = trace(
                GOOD,
                "",
                "{\"timestamp\": 3, \"input_length\": 0, \"output_length\": 0, \"hash_ids\": [], \"user\": \"x\"}",
                "{\"hash_ids\": [9223372036854775807, -1], \"timestamp\": 9, \"input_length\": 1, \"output_length\":"
                        + " 2}");

        assertThat(trace.requests())
                .containsExactly(
                        new TraceRequest(3, 700, 52, List.of(46L, 47L)),
                        new TraceRequest(3, 0, 0, List.of()),
                        new TraceRequest(9, 1, 2, List.of(Long.MAX_VALUE, -1L)));
        assertThat(trace.limitedTo(1).requests()).hasSize(1);
        assertThat(trace.limitedTo(99).requests()).hasSize(3);
        assertThat(trace().requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "not json                                                                           | no JSON",
                "[1]                                                                                | JSON object",
                "{\"timestamp\": 1                                                                  | no JSON",
                "{\"input_length\": 1, \"output_length\": 1, \"hash_ids\": []}                      | timestamp is"
                        + " absent",
                "{\"timestamp\": -1, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": []}   | timestamp is -1",
                "{\"timestamp\": 1.5, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": []}  | timestamp is 1.5",
                "{\"timestamp\": 2, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": []}    | does not go back",
                "{\"timestamp\": 4, \"input_length\": \"a\", \"output_length\": 1, \"hash_ids\": []}| input_length is"
                        + " \"a\"",
                "{\"timestamp\": 4, \"input_length\": 1, \"hash_ids\": []}                          | output_length is"
                        + " absent",
                "{\"timestamp\": 4, \"input_length\": 1, \"output_length\": 1}                      | hash_ids is"
                        + " absent",
                "{\"timestamp\": 4, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": 7}     | hash_ids is 7",
                "{\"timestamp\": 4, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": [1,\"b\"]}| \"b\" at"
                        + " place 1",
                "{\"timestamp\": 4, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": []} 5  | no JSON",
            })
    void aBadLineIsNamedWithItsFileAndWhatIsWrong(String line, String complaint) throws IOException {
        Trace trace = trace(GOOD, line);

        assertThatThrownBy(trace::requests)
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("trace.jsonl, line 2: ")
                .hasMessageContaining(complaint);
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(new TraceFile(dir.resolve("absent"))::open)
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("absent");
    }
}
