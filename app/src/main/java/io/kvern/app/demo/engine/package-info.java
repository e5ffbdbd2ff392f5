/**
 * A reference engine: a small decoder-only transformer with paged KV blocks in bf16, chained prefix hashes and a KV pool
 * that evicts. It knows block ids and components from the model; pinned memory, publisher and loader stay behind
 * {@link io.kvern.app.demo.engine.BlockMemory} and {@link io.kvern.app.demo.engine.BlockTier}.
 */
@NullMarked
package io.kvern.app.demo.engine;

import org.jspecify.annotations.NullMarked;
