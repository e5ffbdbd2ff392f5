/**
 * A store node: the Kafka Streams topology over the block store, the state-store view with its own offsets, and what the
 * node knows of how current it is. Its doors live in {@code doors}.
 */
@NullMarked
package io.kvern.streams;

import org.jspecify.annotations.NullMarked;
