package io.kvern.ingest;

import io.kvern.model.BlockKey;
import java.util.concurrent.CompletableFuture;

/**
 * A block on its way into the log.
 *
 * @param key the block
 * @param released completes when the publisher is done with the payload's memory, whatever the outcome: until then the
 *     caller leaves its bytes as they are
 * @param outcome completes, never exceptionally, within the delivery timeout
 */
public record Publication(BlockKey key, CompletableFuture<Void> released, CompletableFuture<PublishOutcome> outcome) {}
