package io.kvern.streams.doors;

import io.kvern.ingest.BlockPut;
import io.kvern.ingest.Publication;
import io.kvern.ingest.PublishOutcome;
import io.kvern.model.BlockKey;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** What the door's writes need of the log: the node's publisher, or one that a test holds back. */
interface LogWriter {
    /** @param payload left as it is until {@link Publication#released} */
    Publication publish(BlockPut put, ByteBuffer payload);

    CompletableFuture<PublishOutcome> remove(BlockKey key);
}
