/** RESP (the Redis protocol) over Netty: a server shell that knows bytes and commands, and the reply side for clients. No blocks, no store, no Kafka may come in. */
@NullMarked
package io.kvern.resp;

import org.jspecify.annotations.NullMarked;
