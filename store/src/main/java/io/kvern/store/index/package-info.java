/** What is where: entries not yet persisted in memory, and the seam to the engine that keeps the persisted ones. No files. */
@NullMarked
package io.kvern.store.index;

import org.jspecify.annotations.NullMarked;
