/** The yardstick: measures what Kvern does against the bare limit of the same machine, in the same run. Nobody imports it. */
@NullMarked
package io.kvern.bench;

import org.jspecify.annotations.NullMarked;
