package io.kvern.worker.load;

import io.kvern.model.BlockId;
import io.kvern.resp.client.ReplyScanner;
import io.kvern.resp.client.ReplyScanner.Token;
import io.kvern.resp.client.RequestWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A request whose reply is one number, or an array of two.
 *
 * <pre>
 * KV.VERIFY id   →  :1\r\n or :0\r\n
 * KV.MATCH id …  →  *2\r\n :length\r\n :bytes\r\n
 * </pre>
 */
final class NumberExchange extends Exchange {
    private final int wanted;
    private final BooleanSupplier abandoned;
    private final long[] numbers = new long[2];
    private int seen;
    private boolean announced;

    private NumberExchange(
            String command, List<BlockId> ids, int wanted, BooleanSupplier abandoned, Listener listener) {
        super(RequestWriter.request(command, ids.stream().map(BlockId::asBuffer).toList()), listener);
        this.wanted = wanted;
        this.abandoned = abandoned;
        restart();
    }

    static NumberExchange verify(BlockId id, BooleanSupplier abandoned, Listener listener) {
        return new NumberExchange("KV.VERIFY", List.of(id), 1, abandoned, listener);
    }

    static NumberExchange match(List<BlockId> ids, BooleanSupplier abandoned, Listener listener) {
        return new NumberExchange("KV.MATCH", ids, 2, abandoned, listener);
    }

    @Override
    final void restart() {
        super.restart();
        seen = 0;
        announced = wanted == 1;
    }

    @Override
    boolean abandoned() {
        return abandoned.getAsBoolean();
    }

    @Override
    @Nullable
    Outcome advance(ReplyScanner scanner, ByteBuffer in) throws IOException {
        while (seen < wanted) {
            Token token = scanner.next(in);
            switch (token) {
                case INCOMPLETE -> {
                    return null;
                }
                case ERROR -> {
                    if (seen > 0) {
                        throw unexpected("a number", token);
                    }
                    return ofError(scanner.text());
                }
                case ARRAY -> {
                    if (announced || scanner.number() != wanted) {
                        throw unexpected("an array of " + wanted, token);
                    }
                    announced = true;
                }
                case INTEGER -> {
                    if (!announced || scanner.number() < 0) {
                        throw unexpected("a count", token);
                    }
                    numbers[seen++] = scanner.number();
                }
                default -> throw unexpected("a number", token);
            }
        }
        return new Outcome.Numbers(numbers[0], numbers[1]);
    }
}
