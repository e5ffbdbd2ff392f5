package io.kvern.worker.load;

import io.kvern.model.Slot;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Where one block of a load stands. Only its batch's thread reads and writes it, but for {@link #ended}. */
final class BlockTask implements Exchange.Listener {
    final LoadRequest request;
    final Room room;
    final int slot;
    private final Batch batch;

    /** Endpoints that have been asked in this round, to no avail. */
    final BitSet asked = new BitSet();

    /** Whom the exchange under way asks. */
    @Nullable
    Endpoint endpoint;

    /** Whether that exchange is a KV.VERIFY. */
    boolean verifying;

    int wrongCrcs;
    int losses;
    /** What the last server that was unsure said, in this round or an earlier one; empty where none was. */
    String unsure = "";
    /** Why the last connection failed; empty where none did. */
    String loss = "";
    /** When the next round begins, where the task rests. */
    long dueAt;

    @Nullable
    BlockLoad result;

    BlockTask(Batch batch, LoadRequest request) {
        this.batch = batch;
        this.request = request;
        this.room = new Room(request.destination());
        this.slot = Slot.of(request.id());
    }

    @Override
    public void ended(Exchange exchange, Outcome outcome) {
        batch.report(this, outcome);
    }
}
