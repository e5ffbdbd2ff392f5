/**
 * Request traces through the whole pipeline: reads or makes a trace, publishes and loads its blocks over a broker and a store
 * node in this process, checks every byte that comes back, and counts what was saved. The bench of single lanes may not come
 * in.
 */
@NullMarked
package io.kvern.bench.replay;

import org.jspecify.annotations.NullMarked;
