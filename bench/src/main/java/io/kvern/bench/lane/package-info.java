/** One class per row of the design's budget: what Kvern does, and the least that any program would have to do for it. */
@NullMarked
package io.kvern.bench.lane;

import org.jspecify.annotations.NullMarked;
