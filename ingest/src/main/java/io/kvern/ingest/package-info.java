/**
 * The way into the log: the block publisher with its byte budget, and the administration of topics. Knows Kafka's clients;
 * neither Streams nor the store may come in.
 */
@NullMarked
package io.kvern.ingest;

import org.jspecify.annotations.NullMarked;
