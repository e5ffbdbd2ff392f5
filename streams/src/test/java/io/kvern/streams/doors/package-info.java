/** Tests of the door over a node in memory: what a client is told, byte for byte. */
@NullMarked
package io.kvern.streams.doors;

import org.jspecify.annotations.NullMarked;
