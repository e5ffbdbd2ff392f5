@NullMarked
package io.kvern.bench.lane;

import org.jspecify.annotations.NullMarked;
