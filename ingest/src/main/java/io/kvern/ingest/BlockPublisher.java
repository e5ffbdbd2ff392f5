package io.kvern.ingest;

import io.kvern.model.BlockKey;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** STUB for contract only; replaced by the real class. */
public interface BlockPublisher extends AutoCloseable {
    Publication publish(BlockPut put, ByteBuffer payload);

    CompletableFuture<PublishOutcome> remove(BlockKey key);

    @Override
    void close();
}
