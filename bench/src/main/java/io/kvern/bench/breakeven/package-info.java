/** From which prefix length on loading beats computing, by arithmetic alone. Measures nothing; knows only the report's records. */
@NullMarked
package io.kvern.bench.breakeven;

import org.jspecify.annotations.NullMarked;
