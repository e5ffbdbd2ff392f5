/** The commands: each reads its options, calls the wiring, and says what happened. No logic of blocks may come in. */
@NullMarked
package io.kvern.app.cli;

import org.jspecify.annotations.NullMarked;
