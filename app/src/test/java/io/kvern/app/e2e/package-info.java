/** The whole pipeline with a real broker, real store, real sockets, and processes that are killed for real. */
@NullMarked
package io.kvern.app.e2e;

import org.jspecify.annotations.NullMarked;
