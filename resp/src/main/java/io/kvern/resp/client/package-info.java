/**
 * The client's side of RESP for plain channels: requests into buffers, replies out of them, payloads left to the caller.
 * Knows bytes only: neither Netty nor blocks nor a socket may come in.
 */
@NullMarked
package io.kvern.resp.client;

import org.jspecify.annotations.NullMarked;
