@NullMarked
package io.kvern.bench.report;

import org.jspecify.annotations.NullMarked;
