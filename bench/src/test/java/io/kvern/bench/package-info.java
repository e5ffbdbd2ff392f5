@NullMarked
package io.kvern.bench;

import org.jspecify.annotations.NullMarked;
