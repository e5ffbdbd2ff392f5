/** The one formatter of all Java sources, run first in the build. Nothing of Kvern's runtime lives here. */
@NullMarked
package io.kvern.format;

import org.jspecify.annotations.NullMarked;
