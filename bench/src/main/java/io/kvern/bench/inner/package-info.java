/** The inner pieces on their own, by JMH in a JVM of its own each. No broker, no sockets. */
@NullMarked
package io.kvern.bench.inner;

import org.jspecify.annotations.NullMarked;
