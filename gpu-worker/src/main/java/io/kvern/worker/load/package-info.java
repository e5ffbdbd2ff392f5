/**
 * The block loader: brings blocks from store nodes into memory that the caller owns, by a deadline, over plain sockets.
 * Neither Netty nor the store may come in.
 */
@NullMarked
package io.kvern.worker.load;

import org.jspecify.annotations.NullMarked;
