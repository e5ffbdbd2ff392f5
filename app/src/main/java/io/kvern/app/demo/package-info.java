/**
 * The demo: conversations served by the reference engine, whose evicted KV blocks go out, come back into cold workers, and
 * are checked bit for bit. What moves and stores them stays behind {@link io.kvern.app.demo.DemoBackend}.
 */
@NullMarked
package io.kvern.app.demo;

import org.jspecify.annotations.NullMarked;
