/** The other end of each bare limit, in a process of its own as the store node is, and the handle that the run has on it. */
@NullMarked
package io.kvern.bench.peer;

import org.jspecify.annotations.NullMarked;
