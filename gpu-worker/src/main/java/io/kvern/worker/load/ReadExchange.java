package io.kvern.worker.load;

import io.kvern.model.BlockId;
import io.kvern.model.Limits;
import io.kvern.resp.client.ReplyScanner;
import io.kvern.resp.client.ReplyScanner.Token;
import io.kvern.resp.client.RequestWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One block into its room.
 *
 * <pre>
 * KV.READ id  →  *3\r\n :length\r\n :crc\r\n $length\r\n payload \r\n   or  *-1\r\n   or  -error\r\n
 * </pre>
 */
final class ReadExchange extends Exchange {
    /** A block that does not fit is read off the connection up to this size; closing and connecting again costs about as much. */
    static final int DRAIN_BYTES = 256 << 10;

    private static final long MAX_CRC = 0xffff_ffffL;

    private enum State {
        HEAD,
        LENGTH,
        CRC,
        BULK,
        PAYLOAD,
        DRAIN,
        END
    }

    private final Room room;
    private State state = State.HEAD;
    private int length;
    private long crc;
    private int drained;

    ReadExchange(BlockId id, Room room, Listener listener) {
        super(RequestWriter.request("KV.READ", List.of(id.asBuffer())), listener);
        this.room = room;
    }

    @Override
    void restart() {
        super.restart();
        state = State.HEAD;
    }

    @Override
    boolean abandoned() {
        return room.isShut();
    }

    @Override
    boolean wantsPayload() {
        return state == State.PAYLOAD;
    }

    @Override
    long receive(ScatteringByteChannel channel, ByteBuffer beyond) throws IOException {
        long count = room.receive(channel, beyond);
        if (count == Room.SHUT) {
            throw abandonedHere();
        }
        if (room.complete()) {
            state = State.END;
        }
        return count;
    }

    @Override
    @Nullable
    Outcome advance(ReplyScanner scanner, ByteBuffer in) throws IOException {
        while (true) {
            switch (state) {
                case PAYLOAD -> {
                    if (!room.take(in)) {
                        throw abandonedHere();
                    }
                    if (!room.complete()) {
                        return null;
                    }
                    state = State.END;
                }
                case DRAIN -> {
                    int count = Math.min(length - drained, in.remaining());
                    in.position(in.position() + count);
                    drained += count;
                    if (drained < length) {
                        return null;
                    }
                    state = State.END;
                }
                case END -> {
                    return scanner.endOfBulk(in) ? received() : null;
                }
                default -> {
                    Token token = scanner.next(in);
                    if (token == Token.INCOMPLETE) {
                        return null;
                    }
                    Outcome outcome = header(token, scanner);
                    if (outcome != null) {
                        return outcome;
                    }
                }
            }
        }
    }

    private @Nullable Outcome header(Token token, ReplyScanner scanner) throws IOException {
        long number = scanner.number();
        switch (state) {
            case HEAD -> {
                if (token == Token.NULL) {
                    return new Outcome.Missing();
                }
                if (token == Token.ERROR) {
                    return ofError(scanner.text());
                }
                if (token != Token.ARRAY || number != 3) {
                    throw unexpected("an array of 3", token);
                }
                state = State.LENGTH;
            }
            case LENGTH -> {
                if (token != Token.INTEGER || number < 1 || number > Limits.MAX_BLOCK_BYTES) {
                    throw unexpected("a block length of 1 to " + Limits.MAX_BLOCK_BYTES, token);
                }
                length = (int) number;
                state = State.CRC;
            }
            case CRC -> {
                if (token != Token.INTEGER || number < 0 || number > MAX_CRC) {
                    throw unexpected("an unsigned CRC32C", token);
                }
                crc = number;
                state = State.BULK;
            }
            default -> {
                if (token != Token.BULK || number != length) {
                    throw unexpected("a bulk string of %d bytes".formatted(length), token);
                }
                return payloadStarts();
            }
        }
        return null;
    }

    private @Nullable Outcome payloadStarts() throws IOException {
        if (length > room.capacity()) {
            if (length > DRAIN_BYTES) {
                return new Outcome.TooLong(length, room.capacity(), false);
            }
            drained = 0;
            state = State.DRAIN;
        } else {
            if (!room.begin(length)) {
                throw abandonedHere();
            }
            state = State.PAYLOAD;
        }
        return null;
    }

    private Outcome received() {
        if (length > room.capacity()) {
            return new Outcome.TooLong(length, room.capacity(), true);
        }
        long found = room.crc();
        return found == crc ? new Outcome.Loaded(length) : new Outcome.WrongCrc(crc, found);
    }

    private static AbandonedException abandonedHere() {
        return new AbandonedException("a load ended in the middle of a reply");
    }
}
