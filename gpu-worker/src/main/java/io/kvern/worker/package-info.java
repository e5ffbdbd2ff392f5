/** The GPU worker's side: {@code memory} (pinned pools), {@code load} (the block loader and its lanes), and the eviction sink. Neither Streams nor the store may come in. */
@NullMarked
package io.kvern.worker;

import org.jspecify.annotations.NullMarked;
