/**
 * Files: segments of payload with their logs of frames, byte layouts, scans, the directory and its lock. What the frames mean
 * for the index is decided outside; no RocksDB may come in.
 */
@NullMarked
package io.kvern.store.segment;

import org.jspecify.annotations.NullMarked;
