package io.kvern.resp.server;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits an inline request into words, by the rules of redis-cli: spaces separate; {@code "…"} knows {@code \n \r \t \b \a
 * \xHH} and a backslash before anything else; {@code '…'} knows {@code \'} only; a quote must end a word.
 */
final class InlineWords {
    private final byte[] line;
    private final int end;
    private int at;

    private InlineWords(byte[] line, int end) {
        this.line = line;
        this.end = end;
    }

    /** The words of the first {@code length} bytes of {@code line}; none for a blank line. */
    static List<byte[]> split(byte[] line, int length) {
        InlineWords scanner = new InlineWords(line, length);
        List<byte[]> words = new ArrayList<>();
        while (scanner.skipBlanks()) {
            words.add(scanner.word());
        }
        return words;
    }

    private boolean skipBlanks() {
        while (at < end && blank(line[at])) {
            at++;
        }
        return at < end;
    }

    private byte[] word() {
        ByteArrayOutputStream word = new ByteArrayOutputStream();
        while (at < end && !blank(line[at])) {
            byte b = line[at++];
            if (b == '"' || b == '\'') {
                quoted(b, word);
                if (at < end && !blank(line[at])) {
                    throw unbalanced();
                }
            } else {
                word.write(b);
            }
        }
        return word.toByteArray();
    }

    private void quoted(byte quote, ByteArrayOutputStream word) {
        while (at < end) {
            byte b = line[at++];
            if (b == quote) {
                return;
            }
            if (b == '\\' && at < end && (quote == '"' || line[at] == '\'')) {
                word.write(quote == '"' ? escaped() : line[at++]);
            } else {
                word.write(b);
            }
        }
        throw unbalanced();
    }

    private int escaped() {
        byte b = line[at++];
        if (b == 'x' && at + 1 < end) {
            int high = Character.digit(line[at], 16);
            int low = Character.digit(line[at + 1], 16);
            if (high >= 0 && low >= 0) {
                at += 2;
                return high << 4 | low;
            }
        }
        return switch (b) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'a' -> 7;
            default -> b;
        };
    }

    private static boolean blank(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == 0;
    }

    private static ProtocolErrorException unbalanced() {
        return new ProtocolErrorException("unbalanced quotes in request");
    }
}
