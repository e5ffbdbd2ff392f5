/**
 * Memory that a device can copy from and to: where it comes from, and the pool that cuts it into slots and counts who
 * holds them. Neither CUDA's bindings (they are one more {@code PinnedMemory}, in a room of its own) nor blocks may come in.
 */
@NullMarked
package io.kvern.worker.memory;

import org.jspecify.annotations.NullMarked;
