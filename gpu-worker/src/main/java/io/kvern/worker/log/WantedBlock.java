package io.kvern.worker.log;

import io.kvern.model.BlockKey;
import io.kvern.worker.load.BlockLoad;
import io.kvern.worker.load.LoadRequest;
import io.kvern.worker.load.LoadStatus;
import io.kvern.worker.load.Room;
import org.jspecify.annotations.Nullable;

/** Where one block of a load stands. All but {@link #assembly} is guarded by the load's lock. */
final class WantedBlock {
    final LoadRequest request;
    final BlockKey key;
    final Room room;
    final BlockAssembly assembly;

    /** Whether it rests until {@link #dueAt}, to be asked for again then. */
    boolean resting;

    long dueAt;
    int wrongs;
    int unsures;

    /** What the node that was unsure last said; empty where none was. */
    String unsure = "";

    /** Why the last request was not sent; empty where all were. */
    String loss = "";

    @Nullable
    BlockLoad result;

    WantedBlock(LoadRequest request, BlockKey key) {
        this.request = request;
        this.key = key;
        this.room = new Room(request.destination());
        this.assembly = new BlockAssembly(room);
    }

    void rest(long pauseNanos) {
        resting = true;
        dueAt = System.nanoTime() + pauseNanos;
    }

    void end(LoadStatus status, int length, String detail) {
        result = new BlockLoad(request.id(), status, length, detail);
    }
}
