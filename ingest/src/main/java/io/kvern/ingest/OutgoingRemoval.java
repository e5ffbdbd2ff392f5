package io.kvern.ingest;

import io.kvern.model.BlockKey;

/** The null record that removes a block. */
final class OutgoingRemoval extends Outgoing {
    OutgoingRemoval(BlockKey key, int partition, Thread sender, FailureReason reasons, Listener listener) {
        super(key, partition, 1, PublisherConfig.OVERHEAD_BYTES, sender, reasons, listener);
    }

    @Override
    void letGo() {}
}
