/**
 * The log lane of the block loader: requests go into one topic, blocks come back out of another, for a worker that can reach
 * only the brokers. Neither Streams nor the store may come in.
 */
@NullMarked
package io.kvern.worker.log;

import org.jspecify.annotations.NullMarked;
