/** The wiring: from a configuration to a running node, or to broker and node in one process. Nothing is decided here. */
@NullMarked
package io.kvern.app.node;

import org.jspecify.annotations.NullMarked;
