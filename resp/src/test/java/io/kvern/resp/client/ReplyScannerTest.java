package io.kvern.resp.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvern.resp.client.ReplyScanner.Token;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyScannerTest {
    private final ReplyScanner scanner = new ReplyScanner();

    @Test
    void everyTokenWhereverTheBytesAreCut() throws Exception {
        String wire = String.join(
                "\r\n",
                "+OK",
                "-TRYAGAIN not yet",
                ":-42",
                "*3",
                ":4294967295",
                "$3",
                "a\r\n",
                "$-1",
                "*-1",
                "*0",
                "$0",
                "",
                "");
        List<String> expected = List.of(
                "SIMPLE OK",
                "ERROR TRYAGAIN not yet",
                "INTEGER -42",
                "ARRAY 3",
                "INTEGER 4294967295",
                "BULK 3 a\r\n",
                "NULL",
                "NULL",
                "ARRAY 0",
                "BULK 0 ");

        for (int step = 1; step <= wire.length(); step++) {
            assertThat(scanInSteps(wire, step)).as("step %d", step).isEqualTo(expected);
        }
    }

    private List<String> scanInSteps(String wire, int step) throws MalformedReplyException {
        byte[] bytes = wire.getBytes(US_ASCII);
        ByteBuffer in = ByteBuffer.wrap(bytes).limit(0);
        List<String> seen = new ArrayList<>();
        int bulk = -1;
        while (in.position() < bytes.length) {
            in.limit(Math.min(bytes.length, in.limit() + step));
            boolean more = true;
            while (more) {
                if (bulk >= 0) {
                    more = in.remaining() >= bulk + 2;
                    if (more) {
                        byte[] payload = new byte[bulk];
                        in.get(payload);
                        assertThat(scanner.endOfBulk(in)).isTrue();
                        seen.add("BULK " + bulk + " " + new String(payload, US_ASCII));
                        bulk = -1;
                    }
                } else {
                    Token token = scanner.next(in);
                    more = token != Token.INCOMPLETE;
                    switch (token) {
                        case SIMPLE, ERROR -> seen.add(token + " " + scanner.text());
                        case INTEGER, ARRAY -> seen.add(token + " " + scanner.number());
                        case BULK -> bulk = (int) scanner.number();
                        case NULL -> seen.add("NULL");
                        case INCOMPLETE -> {}
                    }
                }
            }
        }
        return seen;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "\0",
                "HTTP/1.1 400 Bad Request\r\n",
                ":\r\n",
                ":-\r\n",
                ":1x\r\n",
                ":+1\r\n",
                ":1234567890123456789\r\n",
                "$-2\r\n",
                "*-3\r\n",
                "$ 1\r\n",
                ":1\r:2\r\n"
            })
    void whatIsNoReplyIsSaidSo(String wire) {
        assertThatThrownBy(() -> scanner.next(ByteBuffer.wrap(wire.getBytes(US_ASCII))))
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining("reply");
    }

    @Test
    void anEndlessLineIsRefusedAtItsLimit() throws Exception {
        byte[] line = ("-" + "e".repeat(2 * ReplyScanner.MAX_LINE_BYTES)).getBytes(US_ASCII);

        assertThat(scanner.next(ByteBuffer.wrap(line, 0, ReplyScanner.MAX_LINE_BYTES - 1)))
                .isEqualTo(Token.INCOMPLETE);
        assertThatThrownBy(() -> scanner.next(ByteBuffer.wrap(line)))
                .isInstanceOf(MalformedReplyException.class)
                .hasMessageContaining(Integer.toString(ReplyScanner.MAX_LINE_BYTES));
    }

    @Test
    void aBulkThatIsLongerThanItSaidIsFound() {
        assertThatThrownBy(() -> scanner.endOfBulk(ByteBuffer.wrap("ab\r\n".getBytes(US_ASCII))))
                .isInstanceOf(MalformedReplyException.class);
    }

    @Test
    void requestsAreArraysOfBulkStrings() {
        ByteBuffer id = ByteBuffer.wrap(new byte[] {0, '\r', '\n', -1});

        ByteBuffer request = RequestWriter.request("KV.READ", List.of(id, ByteBuffer.wrap(new byte[100])));

        String text = US_ASCII.decode(request.duplicate()).toString();
        assertThat(text)
                .startsWith("*3\r\n$7\r\nKV.READ\r\n$4\r\n\0\r\n")
                .contains("\r\n$100\r\n")
                .endsWith("\0\r\n");
        assertThat(request.remaining()).isEqualTo(4 + 4 + 9 + 4 + 6 + 6 + 102);
        assertThat(id.remaining()).isEqualTo(4);
        assertThat(request.hasArray()).isTrue();
    }
}
