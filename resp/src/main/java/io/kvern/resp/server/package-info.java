/**
 * The server shell: connections, framing, memory, order and backpressure. It calls a {@link RespSession} with whole commands
 * and carries its replies. What a command means may not come in.
 */
@NullMarked
package io.kvern.resp.server;

import org.jspecify.annotations.NullMarked;
