/**
 * The Redis-speaking door of a store node: commands over a {@link io.kvern.streams.NodeView}. {@code CommandTable} says
 * which class answers which command. No Kafka Streams may come in.
 */
@NullMarked
package io.kvern.streams.doors;

import org.jspecify.annotations.NullMarked;
