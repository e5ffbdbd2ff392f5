package io.kvern.worker.load;

import io.kvern.resp.client.MalformedReplyException;
import io.kvern.resp.client.ReplyScanner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * A request and the reading of its reply. It waits in one endpoint's queue or is on one connection, never both, and ends by
 * being reported exactly once. May start over on another connection after {@link #restart()}.
 */
abstract sealed class Exchange permits ReadExchange, NumberExchange {
    /** Hears how the exchange ended, in a lane's thread, and returns at once. */
    interface Listener {
        void ended(Exchange exchange, Outcome outcome);
    }

    private final ByteBuffer request;
    private final Listener listener;

    /** @param request position to limit are the bytes to send */
    Exchange(ByteBuffer request, Listener listener) {
        this.request = request;
        this.listener = listener;
    }

    /** Moves as much of the request into {@code out} as there is space for; true once all of it has gone. */
    final boolean write(ByteBuffer out) {
        int count = Math.min(out.remaining(), request.remaining());
        out.put(out.position(), request, request.position(), count).position(out.position() + count);
        request.position(request.position() + count);
        return !request.hasRemaining();
    }

    final void end(Outcome outcome) {
        listener.ended(this, outcome);
    }

    /** Makes ready to be sent once more, from the first byte. */
    void restart() {
        request.rewind();
    }

    /** Whether nobody waits for it any more. */
    abstract boolean abandoned();

    /**
     * Takes bytes of the reply.
     *
     * @return the outcome, or null where more bytes are needed
     * @throws AbandonedException where nobody waits for it any more
     * @throws MalformedReplyException where it is no reply to this request
     */
    abstract @Nullable Outcome advance(ReplyScanner scanner, ByteBuffer in) throws IOException;

    /** Whether the next bytes are a payload, to be taken by {@link #receive} without passing through a buffer. */
    boolean wantsPayload() {
        return false;
    }

    /** One read of the channel into where the payload goes, and what comes behind it into {@code beyond}. */
    long receive(ScatteringByteChannel channel, ByteBuffer beyond) throws IOException {
        return channel.read(beyond);
    }

    /** What an error reply says: unsure for TRYAGAIN, which asks for another attempt, else refused. */
    static Outcome ofError(String text) {
        return text.equals("TRYAGAIN") || text.startsWith("TRYAGAIN ")
                ? new Outcome.Unsure(text)
                : new Outcome.Refused(text);
    }

    static MalformedReplyException unexpected(String wanted, ReplyScanner.Token token) {
        return new MalformedReplyException("%s was expected, and %s came".formatted(wanted, token));
    }
}
