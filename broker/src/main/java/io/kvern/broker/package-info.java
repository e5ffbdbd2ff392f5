/**
 * A real Kafka broker inside the JVM, for {@code kvern broker}, {@code dev}, {@code demo} and the tests of the other modules.
 * The only package that may touch Kafka's server classes; nothing else of Kvern may come in.
 */
@NullMarked
package io.kvern.broker;

import org.jspecify.annotations.NullMarked;
