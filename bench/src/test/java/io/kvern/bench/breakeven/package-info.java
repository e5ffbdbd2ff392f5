@NullMarked
package io.kvern.bench.breakeven;

import org.jspecify.annotations.NullMarked;
