/** Tests of the server shell: its parts alone, and whole, over raw sockets. */
@NullMarked
package io.kvern.resp.server;

import org.jspecify.annotations.NullMarked;
