@NullMarked
package io.kvern.bench.inner;

import org.jspecify.annotations.NullMarked;
