/**
 * The contract of a node's block store: what may be read, written and removed, and in which thread. Its rooms are
 * {@code segment} (files), {@code index} (what is where), {@code rocks} (the only importer of RocksDB). No Kafka may come
 * in: offsets are plain numbers here.
 */
@NullMarked
package io.kvern.store;

import org.jspecify.annotations.NullMarked;
