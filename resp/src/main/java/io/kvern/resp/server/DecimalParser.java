package io.kvern.resp.server;

import io.netty.buffer.ByteBuf;

/** Reads a decimal number up to CR LF, in as many pieces as it comes. */
final class DecimalParser {
    /** So that no number overflows: 18 digits. */
    private static final int MAX_DIGITS = 18;

    private long value;
    private int digits;
    private boolean negative;
    private boolean ending;

    void begin() {
        value = 0;
        digits = 0;
        negative = false;
        ending = false;
    }

    /**
     * @param complaint of the protocol error where the bytes are no number
     * @return whether the number is complete; if not, all bytes of {@code in} were taken
     */
    boolean take(ByteBuf in, String complaint) {
        while (in.isReadable()) {
            byte b = in.readByte();
            if (ending) {
                if (b != '\n') {
                    throw new ProtocolErrorException(complaint);
                }
                return true;
            }
            if (b >= '0' && b <= '9' && digits < MAX_DIGITS) {
                value = value * 10 + b - '0';
                digits++;
            } else if (b == '-' && digits == 0 && !negative) {
                negative = true;
            } else if (b == '\r' && digits > 0) {
                ending = true;
            } else {
                throw new ProtocolErrorException(complaint);
            }
        }
        return false;
    }

    long value() {
        return negative ? -value : value;
    }
}
