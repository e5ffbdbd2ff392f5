/** Tests of what a node knows of its log, over a real store. */
@NullMarked
package io.kvern.streams;

import org.jspecify.annotations.NullMarked;
