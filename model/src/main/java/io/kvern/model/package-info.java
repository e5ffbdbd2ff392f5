/**
 * Identity of blocks: ids, namespaces, specs, fingerprints, slots, keys, components, and the checksum that every other
 * module agrees on. Pure values: no I/O, no threads, no library beyond the JDK may come in.
 */
@NullMarked
package io.kvern.model;

import org.jspecify.annotations.NullMarked;
