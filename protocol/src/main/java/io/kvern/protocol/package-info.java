/**
 * What travels: Avro events and their single-object codec, topic definitions, the pinned cluster layout, partitioning. No
 * client of Kafka may come in: this is the documented interface that any client may speak.
 */
@NullMarked
package io.kvern.protocol;

import org.jspecify.annotations.NullMarked;
